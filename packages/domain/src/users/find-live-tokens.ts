import type { AccessDenied } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import { type TokenStatus, tokenStatus } from '../tokens/administration/token-status.ts';
import { findManaged } from './find-user.ts';
import type { User } from './user.ts';
import type { UserNotFound, UserRepository } from './user-repository.ts';

/** A user, and the tokens that end with a disabling. */
export interface UserWithTokens {
  readonly user: User;
  /** API tokens first. */
  readonly tokens: readonly TokenStatus[];
}

export type FindLiveTokens = (
  caller: Caller,
  input: { readonly email: string; readonly limit: number },
) => Promise<Result<UserWithTokens, AccessDenied | UserNotFound>>;

/** Looks up a user with its tokens that are good, or would be in an account that is resumed; `limit` at most. */
export function findLiveTokens({
  users,
  clock,
}: {
  readonly users: UserRepository;
  readonly clock: Clock;
}): FindLiveTokens {
  return async (caller, { email, limit }) => {
    const found = await findManaged(users, caller, email);
    if (!found.ok) return found;
    const { user } = found.value;
    const at = clock.now();
    const entries = await users.listLiveTokens(user.id, { at, limit });
    return ok({ user, tokens: entries.map((entry) => tokenStatus(entry, at)) });
  };
}
