import type { Answer } from '@gatehouse/http';
import { type Draft, sealDraft } from '../forms/draft.ts';
import { setCookie } from '../http/cookies.ts';
import { type BeginPorts, beginAttempt } from '../providers/begin-attempt.ts';
import { continuePage } from '../providers/continue-page.ts';
import { refusedView } from '../providers/refused-answer.ts';
import { SESSION_ENDED } from '../view.ts';
import { answerPage } from './answer-page.ts';
import type { PageRequest } from './page-request.ts';

/**
 * Leads a user whom an identity provider signed in to that provider, to confirm who they are. Keeps what was typed for
 * the page that follows.
 */
export async function confirmIdentity(
  ports: BeginPorts,
  request: PageRequest,
  draft: Draft | undefined,
): Promise<Answer> {
  const { session, target, formKey, site } = request;
  if (session.provider === null) return answerPage(request, SESSION_ENDED);
  const purpose = { kind: 'confirm', session } as const;
  const begun = await beginAttempt(ports, request, session.provider.provider, purpose, target);
  if (!begun.ok) return answerPage(request, refusedView(request, begun.error));
  const { location, provider, headers } = begun.value;
  const sealed = draft && sealDraft(draft, formKey);
  const kept = sealed ? [setCookie(site, 'draft', sealed)] : [];
  return continuePage(request, location, provider.label, [...headers, ...kept]);
}
