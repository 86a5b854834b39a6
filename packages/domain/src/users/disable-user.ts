import type { AccessDenied } from '../access/authorize.ts';
import { actorOf, type Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import type { InvalidInput } from '../invalid-input.ts';
import { err, type Result } from '../result.ts';
import { checkText } from '../text.ts';
import type { Clock } from '../time/clock.ts';
import type { Revocation } from '../tokens/token.ts';
import { emailKey } from './email.ts';
import { findManaged } from './find-user.ts';
import { onUser } from './user-events.ts';
import type {
  DisabledUser,
  LastAdmin,
  TransferNamesTaken,
  TransferTargetNotFit,
  UserNotFound,
  UserRepository,
} from './user-repository.ts';

export interface DisableUserInput {
  readonly email: string;
  readonly reason: string | null;
  /** The email of the admin who gets the live API tokens; null where they end with the user. */
  readonly transferTo: string | null;
  /** Give tokens new names where that admin has theirs; without it such a transfer is refused. */
  readonly renameTaken?: boolean;
}

export type DisableUser = (
  caller: Caller,
  input: DisableUserInput,
) => Promise<
  Result<
    DisabledUser,
    AccessDenied | InvalidInput | UserNotFound | LastAdmin | TransferTargetNotFit | TransferNamesTaken
  >
>;

/** Ends a user's access, and the user's tokens for good, but for those that another admin gets. */
export function disableUser({
  users,
  clock,
}: {
  readonly users: UserRepository;
  readonly clock: Clock;
}): DisableUser {
  return async (caller, { email, reason, transferTo, renameTaken = false }) => {
    const found = await findManaged(users, caller, email);
    if (!found.ok) return found;
    const { manager, user } = found.value;
    const explained = checkText('reason', reason ?? '', 500);
    if (!explained.ok) return explained;
    const target = transferTo === null ? undefined : await users.findByEmail(emailKey(transferTo));
    if (transferTo !== null && !target) return err({ code: 'transfer_target_not_fit' });

    const revocation: Revocation = {
      at: clock.now(),
      by: actorOf(manager),
      reason: reason === null ? 'the user was disabled' : `the user was disabled: ${reason}`,
    };
    const event = eventBy(manager, {
      at: revocation.at,
      action: 'user.disabled',
      ...onUser(user),
      details: { email: user.email, reason, ...(target && { tokens_to: target.email }) },
    });
    return users.disable(user.id, revocation, event, target && { transferTo: target.id, renameTaken });
  };
}
