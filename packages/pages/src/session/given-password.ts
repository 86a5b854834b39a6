import { err, ok, type Result } from '@gatehouse/domain';
import { isPasswordFresh } from '@gatehouse/domain/sessions';
import { type FieldError, input } from '../elements/field.ts';
import type { Html } from '../html.ts';
import { passwordRefused } from '../limits.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { type Outcome, SESSION_ENDED, type View } from '../view.ts';
import type { PageRequest } from './page-request.ts';

/** The password field of forms that make secrets. */
export const PASSWORD_FIELD = { password: 'secret' } as const;

/** Its label in the list of errors. */
export const PASSWORD_LABEL = { password: 'Password' } as const;

/** Asks for the password if it was given more than 10 minutes ago; null otherwise. */
export function passwordAgain(
  { session, user, now }: PageRequest,
  errors: readonly FieldError[],
): Html | null {
  if (isPasswordFresh(session, now)) return null;
  return input({
    name: 'password',
    label: PASSWORD_LABEL.password,
    type: 'password',
    autocomplete: 'current-password',
    isRequired: true,
    hint: `To make sure that it is still you, ${user.email}.`,
    errors,
  });
}

/**
 * Verifies the password of a form if it was given more than 10 minutes ago. Returns a request to go on with, or the response. The
 * request does not ask for the password again, and its caller is read anew: verifying waits in a queue, and meanwhile an admin can
 * be demoted, or the session can end.
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
  const given = { sessionId: session.id, email: user.email, password };
  const confirmed = await request.renew((secret) => confirmPassword(caller, { ...given, secret }));
  if (confirmed.ok) {
    const reopened = await request.reopen();
    return reopened ? ok(reopened) : err(SESSION_ENDED);
  }
  return err(passwordRefused(confirmed.error, 'password', again));
}
