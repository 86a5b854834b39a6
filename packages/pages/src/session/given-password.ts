import { err, ok, type Result } from '@gatehouse/domain';
import { isPasswordFresh } from '@gatehouse/domain/sessions';
import type { FieldError, ShowField } from '../elements/field.ts';
import type { Html } from '../html.ts';
import { passwordRefused } from '../limits.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { type Outcome, SESSION_ENDED, type View } from '../view.ts';
import type { PageRequest } from './page-request.ts';

/** The field of forms whose answer shows a secret: they ask for the password again. */
export const PASSWORD_FIELD = {
  password: { label: 'Password', type: 'password', autocomplete: 'current-password', isRequired: true },
} as const;

/** Shows the password field if the password was given more than 10 minutes ago; null otherwise. */
export function passwordAgain(request: PageRequest, field: ShowField<'password'>): Html | null {
  const { session, user, now } = request;
  if (isPasswordFresh(session, now)) return null;
  return field('password', { hint: `To make sure that it is still you, ${user.email}.` });
}

/**
 * Verifies the password of a form if it was given more than 10 minutes ago. Returns the request to go on with, or the answer.
 * Verifying waits in a queue. Meanwhile the session can end, or an admin can become a member, so the session is then read again.
 *
 * @param again shows the form with the typed values and `passwordAgain`
 */
export async function confirmGivenPassword(
  { confirmPassword }: Pick<PageUseCases, 'confirmPassword'>,
  request: PageRequest,
  password: string,
  again: (errors: readonly FieldError[]) => View,
): Promise<Result<PageRequest, Outcome>> {
  const { caller, session, user, now } = request;
  if (isPasswordFresh(session, now)) return ok(request);
  if (password === '')
    return err(again([{ field: 'password', message: 'is needed: you gave it more than 10 minutes ago' }]));
  const given = { sessionId: session.id, secret: request.secret, email: user.email, password };
  const confirmed = await confirmPassword(caller, given);
  if (confirmed.ok) {
    request.renewSecret(confirmed.value.secret);
    const reopened = await request.reopen();
    return reopened ? ok(reopened) : err(SESSION_ENDED);
  }
  return err(passwordRefused(confirmed.error, 'password', again));
}
