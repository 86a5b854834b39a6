import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller, Operator, Principal } from '../access/caller.ts';
import { err, ok, type Result } from '../result.ts';
import { emailKey } from './email.ts';
import type { User } from './user.ts';
import type { UserNotFound, UserRepository } from './user-repository.ts';

export type FindUser = (caller: Caller, email: string) => Promise<Result<User, AccessDenied | UserNotFound>>;

/** Looks up a user by the email, for whoever manages users. */
export function findUser({ users }: { readonly users: UserRepository }): FindUser {
  return async (caller, email) => {
    const found = await findManaged(users, caller, email);
    return found.ok ? ok(found.value.user) : found;
  };
}

export interface ManagedUser {
  readonly manager: Principal | Operator;
  readonly user: User;
}

/** The user with this email, if the caller may manage users. */
export async function findManaged(
  users: Pick<UserRepository, 'findByEmail'>,
  caller: Caller,
  email: string,
): Promise<Result<ManagedUser, AccessDenied | UserNotFound>> {
  const allowed = authorize(caller, 'users:manage');
  if (!allowed.ok) return allowed;
  const user = await users.findByEmail(emailKey(email));
  return user ? ok({ manager: allowed.value, user }) : err({ code: 'user_not_found' });
}
