import type { AccountId } from '../accounts/account.ts';
import type { Ports } from '../ports.ts';
import type { User, UserId } from '../users/user.ts';
import { mayUsePassword } from './may-use-password.ts';

export type PasswordOpenPorts = Ports<'breakGlass' | 'passwordSignIn' | 'clock'>;

/** Stands for the user in a question about an unknown one. */
const NO_USER = { id: 0 as UserId, accountId: 0 as AccountId };

/** Whether the user may use a password now, although passwords may be off. An unknown user is asked for as long. */
export async function isPasswordOpen(
  { breakGlass, passwordSignIn, clock }: PasswordOpenPorts,
  user: Pick<User, 'id' | 'accountId'> | undefined,
  { isOnPage }: { readonly isOnPage: boolean },
): Promise<boolean> {
  if (passwordSignIn === 'on') return true;
  const gate = await breakGlass.findGate(user ?? NO_USER);
  return mayUsePassword(passwordSignIn, gate, { at: clock.now(), isOnPage });
}
