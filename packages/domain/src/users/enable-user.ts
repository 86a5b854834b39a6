import type { AccessDenied } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import type { Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import { findManaged } from './find-user.ts';
import { onUser } from './user-events.ts';
import type { ChangedUser, UserNotFound, UserRepository } from './user-repository.ts';

export type EnableUser = (
  caller: Caller,
  email: string,
) => Promise<Result<ChangedUser, AccessDenied | UserNotFound>>;

/** Lets a disabled user in again. The tokens that ended with the disabling stay revoked. */
export function enableUser({
  users,
  clock,
}: {
  readonly users: UserRepository;
  readonly clock: Clock;
}): EnableUser {
  return async (caller, email) => {
    const found = await findManaged(users, caller, email);
    if (!found.ok) return found;
    const { manager, user } = found.value;
    const event = eventBy(manager, {
      at: clock.now(),
      action: 'user.enabled',
      ...onUser(user),
      details: { email: user.email },
    });
    return users.enable(user.id, event);
  };
}
