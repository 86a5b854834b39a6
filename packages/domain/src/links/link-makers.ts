import type { NotAllowed, Operator, Principal } from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AccountNotFound } from '../accounts/account-repository.ts';
import { err, ok, type Result } from '../result.ts';
import type { Role, UserId } from '../users/user.ts';

/** Returns the admin who makes a link; null if the operator does. An operator who acts for an admin makes it as the admin. */
export function makerOf(caller: Principal | Operator): UserId | null {
  return caller.kind === 'operator' ? null : caller.userId;
}

/**
 * Returns the account of a new invitation: an admin's own one, and the one that the operator names. An admin invites
 * members only, so that no link makes an admin of the person who opens it. It does not prevent a second admin: an
 * admin can promote the user afterwards, and the activity shows it.
 */
export function invitingAccount(
  caller: Principal | Operator,
  { accountId, role }: { readonly accountId?: AccountId | undefined; readonly role: Role },
): Result<AccountId, NotAllowed | AccountNotFound> {
  if (caller.kind === 'operator')
    return accountId === undefined ? err({ code: 'account_not_found' }) : ok(accountId);
  if (role === 'admin' || (accountId !== undefined && accountId !== caller.accountId))
    return err({ code: 'not_allowed' });
  return ok(caller.accountId);
}
