import type { OpenedSession } from '@gatehouse/domain/sessions';
import type { Answer, Header } from '@gatehouse/http';
import { openDraft, sealDraft } from '../forms/draft.ts';
import { clearCookie, setCookie } from '../http/cookies.ts';
import { redirectAnswer } from '../http/page-answer.ts';
import { firstPageFor } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { forget, type Visit } from '../visit.ts';
import { openRequest, type PageRequestPorts, requestIn } from './page-request.ts';

export type AnswerSignedInPorts = PageRequestPorts & Pick<PagePorts, 'endSession'>;

export interface Arrival {
  /** The path that the visitor wanted to open. */
  readonly next: string | undefined;
  /** The draft that the sign-in page kept. */
  readonly draft: string | undefined;
  /** The secret that protects the sign-in form. */
  readonly secret: string;
}

/** Gives the browser its new session, and redirects it to the page that the user wanted. */
export async function answerSignedIn(
  ports: AnswerSignedInPorts,
  visit: Visit,
  opened: OpenedSession,
  arrival: Arrival,
): Promise<Answer> {
  const { path, headers } = await afterSignIn(ports, visit, opened, arrival);
  return redirectAnswer(visit.site, path, headers);
}

/** Returns where the browser goes after a sign-in, and the cookies that it gets. Ends the session that it had. */
export async function afterSignIn(
  ports: AnswerSignedInPorts,
  visit: Visit,
  { session, role, secret: ours, formKey }: OpenedSession,
  { next, draft, secret }: Arrival,
): Promise<{ readonly path: string; readonly headers: readonly Header[] }> {
  await endReplaced(ports, visit);
  const { site } = visit;
  const first = firstPageFor(role);
  const typed = openDraft(draft, secret);
  // Another user may have typed the draft, on a page that the user who is now signed in may not see.
  const isForeign = typed !== undefined && typed.user !== session.userId;
  const carried = typed && !isForeign && sealDraft(typed, formKey);
  return {
    path: isForeign ? first : (next ?? first),
    headers: [
      setCookie(site, 'session', ours),
      clearCookie(site, 'visit'),
      ...forget(visit, 'pending'),
      ...forget(visit, 'notice'),
      ...(carried ? [setCookie(site, 'draft', carried)] : forget(visit, 'draft')),
    ],
  };
}

/**
 * Ends the previous session of this browser. The sign-in replaces the cookie of that session, so no browser could end it
 * later.
 */
async function endReplaced(ports: AnswerSignedInPorts, visit: Visit): Promise<void> {
  const before = requestIn(await openRequest(ports, visit, { toEnd: true }));
  if (before) await ports.endSession(before.caller, before.session.id);
}
