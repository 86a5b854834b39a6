import { eventOf } from '../audit/event-by.ts';
import type { Instant } from '../time/instant.ts';
import type { User } from '../users/user.ts';

type Subject = Pick<User, 'id' | 'accountId' | 'email'>;

type Action =
  | 'user.second_factor_enrolled'
  | 'user.second_factor_removed'
  | 'user.second_factor_reset'
  | 'user.recovery_codes_made'
  | 'user.recovery_code_used'
  | 'user.second_factor_paused';

/** The event of a change of a user's second factor. */
export function secondFactorEvent(
  at: Instant,
  action: Action,
  { id, accountId, email }: Subject,
  details: Readonly<Record<string, number | string>> = {},
) {
  return eventOf(at, action, { id, accountId }, { email, ...details });
}
