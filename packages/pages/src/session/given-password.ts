import { err, ok, type Result } from '@gatehouse/domain';
import type { AccessDenied } from '@gatehouse/domain/access';
import type { ProofRefusal } from '@gatehouse/domain/second-factor';
import { isPasswordFresh, type SecondFactorRequired } from '@gatehouse/domain/sessions';
import type { SignInError } from '@gatehouse/domain/sign-in';
import type { Header } from '@gatehouse/http';
import type { FieldError, FieldErrors, ShowField } from '../elements/form.ts';
import { type Html, html } from '../html.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import {
  CONFIRM_IDENTITY,
  denied,
  type FormOutcome,
  type Outcome,
  SESSION_ENDED,
  type View,
  withAlert,
} from '../view.ts';
import { CODE_FIELD, CODE_MISSING, CODE_WRONG, codePause } from './given-code.ts';
import type { PageRequest } from './page-request.ts';
import { waitInWords } from './wait-in-words.ts';

/**
 * The fields of forms that ask for the password again, such as those whose answer shows a new token. Only users with a
 * second factor see the field of the code.
 */
export const PASSWORD_FIELD = {
  password: { label: 'Password', type: 'password', autocomplete: 'current-password', isRequired: true },
  code: CODE_FIELD,
} as const;

type Secret = keyof typeof PASSWORD_FIELD;

/** Renders the fields if the user entered the password more than 10 minutes ago; null otherwise. */
export function passwordAgain(request: PageRequest, field: ShowField<Secret>): Html | null {
  const { session, user, now } = request;
  if (isPasswordFresh(session, now)) return null;
  if (session.provider !== null)
    return html`<p class="hint">Your identity provider asks you next to confirm that it is you. What you typed here is kept.</p>`;
  const hint = `Enter the password of ${user.email} again to confirm this change.`;
  return html`${field('password', { hint })}${codeAgain(request, field)}`;
}

/** Renders the field of the code for a user who has a second factor; null for others. */
export function codeAgain({ secondFactor }: PageRequest, field: ShowField<'code'>): Html | null {
  return secondFactor.enrolledAt === null ? null : field('code');
}

const WRONG: FieldError = { field: 'password', message: 'The password is wrong.' };

/** Shows the form again with these errors. */
type ShowAgain = (errors: FieldErrors) => View;

/**
 * Verifies the password of a form if the user last entered the password more than 10 minutes ago. Returns the request
 * to continue with, or the answer if the password is refused. While the verification waits in a queue, the session can
 * end, or an admin can become a member, so the session is read again afterwards.
 *
 * @param again shows the form with the typed values and `passwordAgain`
 */
export async function confirmGivenPassword(
  { confirmPassword }: Pick<PageUseCases, 'confirmPassword'>,
  request: PageRequest,
  { password, code }: Readonly<Record<Secret, string>>,
  again: ShowAgain,
): Promise<Result<PageRequest, FormOutcome>> {
  const { caller, session, user, now } = request;
  if (isPasswordFresh(session, now)) return ok(request);
  if (session.provider !== null) return err(CONFIRM_IDENTITY);
  if (password === '')
    return err(
      again([
        { field: 'password', message: 'is required, because you last entered it more than 10 minutes ago' },
      ]),
    );
  const given = { sessionId: session.id, secret: request.secret, email: user.email, password, code };
  const confirmed = await confirmPassword(caller, given);
  if (confirmed.ok) {
    request.renewSecret(confirmed.value.secret);
    const reopened = await request.reopen();
    return reopened ? ok(reopened) : err(SESSION_ENDED);
  }
  return err(passwordRefused(confirmed.error, WRONG, again));
}

type Limited = Extract<SignInError, { readonly code: 'too_many_attempts' | 'hashing_busy' }>;

/**
 * The answer if a password cannot be verified now: the status, the text of the error message, and the header that says
 * how long to wait.
 */
export function passwordLimit(error: Limited) {
  const isBusy = error.code === 'hashing_busy';
  const seconds = isBusy ? 1 : error.retryAfterSeconds;
  const text = isBusy
    ? 'The server is verifying too many passwords at the moment. Try again in a few seconds.'
    : `Too many attempts to enter a password. Try again in ${waitInWords(seconds)}.`;
  const headers: readonly Header[] = [['retry-after', String(seconds)]];
  return { status: isBusy ? 503 : 429, text, headers };
}

type PasswordError =
  | Limited
  | AccessDenied
  | ProofRefusal
  | SecondFactorRequired
  | { readonly code: 'credentials_not_accepted' | 'session_not_found' };

/** Answers a form whose password or code was not accepted. @param wrong the error if the password is wrong */
export function passwordRefused(error: PasswordError, wrong: FieldError, again: ShowAgain): Outcome {
  switch (error.code) {
    case 'credentials_not_accepted':
      return again([wrong]);
    case 'second_factor_required':
      return again([CODE_MISSING]);
    case 'second_factor_wrong':
      return again([CODE_WRONG]);
    case 'second_factor_paused': {
      const { status, text, headers } = codePause(error);
      return withAlert(again([]), text, status, headers);
    }
    case 'too_many_attempts':
    case 'hashing_busy': {
      const { status, text, headers } = passwordLimit(error);
      return withAlert(again([]), text, status, headers);
    }
    // The second factor was removed or replaced meanwhile: the page is read again.
    case 'second_factor_not_enrolled':
    case 'session_not_found':
      return SESSION_ENDED;
    default:
      return denied(error);
  }
}
