import { err, ok, type Result } from '@gatehouse/domain';
import { isPasswordFresh } from '@gatehouse/domain/sessions';
import { type FieldError, input } from '../elements/field.ts';
import type { Html } from '../html.ts';
import { limitedView } from '../limits.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { denied, type Outcome, sessionEnded, type View } from '../view.ts';
import type { PageRequest } from './page-request.ts';

/** The field of forms that make secrets, among their others. */
export const PASSWORD_FIELD = { password: 'secret' } as const;

/** Its name above the form, where errors are listed. */
export const PASSWORD_LABEL = { password: 'Password' } as const;

/** Asks for the password again where it was given more than 10 minutes ago; nothing otherwise. */
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
 * Verifies the password of a form where it was given more than 10 minutes ago. Returns the request to go on with, which does not
 * ask for it again, and whose caller is as of then: verifying waits its turn, and meanwhile an admin can be demoted, or the
 * session ended. Or returns what to answer.
 *
 * @param again shows the form again, with `passwordAgain` in it and all that was typed
 */
export async function confirmGivenPassword(
  { confirmPassword }: Pick<PageUseCases, 'confirmPassword'>,
  request: PageRequest,
  password: string,
  again: (errors: readonly FieldError[]) => View,
): Promise<Result<PageRequest, Outcome>> {
  const { caller, session, user, now } = request;
  const ended = err(sessionEnded());
  if (isPasswordFresh(session, now)) return ok(request);
  const atField = (message: string) => err(again([{ field: 'password', message }]));
  if (password === '') return atField('is needed: you gave it more than 10 minutes ago');
  const given = { sessionId: session.id, email: user.email, password };
  const confirmed = await request.renew((secret) => confirmPassword(caller, { ...given, secret }));
  if (confirmed.ok) {
    const reopened = await request.reopen();
    return reopened ? ok(reopened) : ended;
  }
  const { error } = confirmed;
  switch (error.code) {
    case 'credentials_not_accepted':
      return atField('is not right');
    case 'too_many_attempts':
    case 'hashing_busy':
      return err(limitedView(again([]), error));
    case 'session_not_found':
      return ended;
    default:
      return err(denied(error));
  }
}
