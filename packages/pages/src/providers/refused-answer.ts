import {
  PROVIDER_REFUSALS,
  type ProviderRefusal,
  type ProviderSignInError,
} from '@gatehouse/domain/identity-providers';
import type { Answer } from '@gatehouse/http';
import { buttonLink } from '../elements/inline.ts';
import { page } from '../elements/layout.ts';
import { alert } from '../elements/notice.ts';
import { html } from '../html.ts';
import { ownPath } from '../http/own-path.ts';
import { pageAnswer } from '../http/page-answer.ts';
import { INVITATION, SIGN_IN, SIGN_IN_METHODS, withQuery } from '../paths.ts';
import { passwordLimit } from '../session/given-password.ts';
import { type View, view } from '../view.ts';
import type { Visit } from '../visit.ts';
import { OTHER_PERSON, REFUSAL_SENTENCES } from './refusal-words.ts';

/** Answers with the reason why a sign-in with a provider ended, and with a link to where the person can go on. */
export function refusedAnswer(visit: Visit, error: ProviderSignInError): Answer {
  const { status = 500, headers, ...shown } = refusedView(visit, error);
  return pageAnswer(visit.site, status, page(shown), headers);
}

/** The same page for a user who is signed in. */
export function refusedView(visit: Pick<Visit, 'request'>, error: ProviderSignInError): View {
  const { status, text, headers } =
    error.code === 'provider_sign_in_refused'
      ? { status: statusOf(error.reason), text: sentenceOf(error), headers: [] }
      : passwordLimit(error);
  const code = error.code === 'provider_sign_in_refused' ? error.reason : error.code;
  const [path, label] = wayOn(error);
  const content = html`${alert(text)}<p>${buttonLink(path, label, 'primary')}</p>
<p class="request-id">Reason <code>${code}</code>, request <code>${visit.request.id}</code></p>`;
  return view({ title: titleOf(error), status, content, headers });
}

type Refused = Extract<ProviderSignInError, { readonly code: 'provider_sign_in_refused' }>;

/** A person who confirms, and is found to be another one, already has a user: advice about how to get one would mislead. */
const sentenceOf = ({ purpose, reason }: Refused) =>
  purpose === 'confirm' && PROVIDER_REFUSALS[reason] === 'person' && reason !== 'user_not_active'
    ? OTHER_PERSON
    : REFUSAL_SENTENCES[reason];

const STATUS = { begin: 404, return: 400, provider: 502, person: 403, role: 403 } as const;

const statusOf = (reason: ProviderRefusal) =>
  reason === 'confirmation_needed' ? 403 : STATUS[PROVIDER_REFUSALS[reason]];

function wayOn(error: ProviderSignInError): readonly [path: string, label: string] {
  const { purpose, next } = error.code === 'provider_sign_in_refused' ? error : {};
  if (purpose === 'link') return [SIGN_IN_METHODS, 'Back to your profile'];
  if (purpose === 'invitation') return [INVITATION, 'Back to the invitation'];
  const target = ownPath(next);
  if (purpose === 'confirm' && target !== undefined) return [target, 'Back to the form'];
  return [withQuery(SIGN_IN, { next: target }), 'Back to sign in'];
}

function titleOf(error: ProviderSignInError): string {
  const purpose = error.code === 'provider_sign_in_refused' ? error.purpose : undefined;
  if (purpose === 'link') return 'The identity was not linked';
  return purpose === 'confirm' ? 'You were not confirmed' : 'You are not signed in';
}
