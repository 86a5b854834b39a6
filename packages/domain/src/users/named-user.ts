import type { Operator, Principal } from '../access/index.ts';
import { err, ok, type Result } from '../result.ts';
import type { User, UserId } from './user.ts';
import type { UserNotFound, UserRepository } from './user-repository.ts';

/** Names a user: by the address, as commands do, or by the id, as pages do. */
export type NamedUser = { readonly email: string } | { readonly id: UserId };

/** Finds a user whom the caller names. For an admin, a user of another account counts as absent. */
export async function findNamed(
  users: UserRepository,
  caller: Principal | Operator,
  named: NamedUser,
): Promise<Result<User, UserNotFound>> {
  const user = await ('id' in named ? users.findById(named.id) : users.findByEmail(named.email));
  return user && mayKnow(caller, user) ? ok(user) : err({ code: 'user_not_found' });
}

/** Finds a person whom the caller names. A service account counts as absent, because it has no password to be set. */
export async function findPerson(
  users: UserRepository,
  caller: Principal | Operator,
  named: NamedUser,
): Promise<Result<User, UserNotFound>> {
  const found = await findNamed(users, caller, named);
  return found.ok && found.value.kind === 'person' ? found : err({ code: 'user_not_found' });
}

/** Whether the caller may know that the user exists: an operator, or someone of the same account. */
export function mayKnow(caller: Principal | Operator, { accountId }: Pick<User, 'accountId'>): boolean {
  return caller.kind === 'operator' || caller.accountId === accountId;
}
