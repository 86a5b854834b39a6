import type { AccessDenied } from '../access/authorize.ts';
import { actorOf, type Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import type { InvalidInput } from '../invalid-input.ts';
import type { Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import type { Revocation } from '../tokens/token.ts';
import { findManaged } from './find-user.ts';
import type { HashingBusy, PasswordHasher } from './password-hasher.ts';
import { checkPassword } from './password-policy.ts';
import type { User } from './user.ts';
import { onUser } from './user-events.ts';
import type { UserNotFound, UserRepository } from './user-repository.ts';

export interface SetPasswordPorts {
  readonly users: UserRepository;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
}

/** A user who has a new password. */
export interface PasswordSet {
  readonly user: User;
  /** How many sign-in tokens that were good ended with the old one. */
  readonly signedOut: number;
}

export type SetPassword = (
  caller: Caller,
  input: { readonly email: string; readonly password: string },
) => Promise<Result<PasswordSet, AccessDenied | InvalidInput | UserNotFound | HashingBusy>>;

/** Sets a user's password, and ends what was signed in with the old one. API tokens go on. */
export function setPassword({ users, passwords, clock }: SetPasswordPorts): SetPassword {
  return async (caller, { email, ...input }) => {
    const found = await findManaged(users, caller, email);
    if (!found.ok) return found;
    const { manager, user } = found.value;
    const password = checkPassword(input.password, user.email);
    if (!password.ok) return password;
    const hash = await passwords.hash(password.value);
    if (!hash.ok) return hash;

    const revocation: Revocation = {
      at: clock.now(),
      by: actorOf(manager),
      reason: 'the password was changed',
    };
    const event = eventBy(manager, {
      at: revocation.at,
      action: 'user.password_set',
      ...onUser(user),
      details: { email: user.email },
    });
    return users.setPassword(user.id, hash.value, revocation, event);
  };
}
