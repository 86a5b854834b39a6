import type { AccessDenied } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import type { Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import { findManaged } from './find-user.ts';
import type { Role } from './user.ts';
import { onUser } from './user-events.ts';
import type { ChangedUser, LastAdmin, UserNotFound, UserRepository } from './user-repository.ts';

export type SetRole = (
  caller: Caller,
  input: { readonly email: string; readonly role: Role },
) => Promise<Result<ChangedUser, AccessDenied | UserNotFound | LastAdmin>>;

/** Gives a user another role. The user's tokens have its rights from then on. */
export function setRole({
  users,
  clock,
}: {
  readonly users: UserRepository;
  readonly clock: Clock;
}): SetRole {
  return async (caller, { email, role }) => {
    const found = await findManaged(users, caller, email);
    if (!found.ok) return found;
    const { manager, user } = found.value;
    return users.setRole(user.id, role, (before) =>
      eventBy(manager, {
        at: clock.now(),
        action: 'user.role_set',
        ...onUser(before),
        details: { email: before.email, from: before.role, to: role },
      }),
    );
  };
}
