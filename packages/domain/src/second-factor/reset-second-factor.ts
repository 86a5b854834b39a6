import { authorized, MANAGE_USERS } from '../access/index.ts';
import { eventBy } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { invalid, ok } from '../result.ts';
import { checkText } from '../text.ts';
import { findPerson } from '../users/named-user.ts';
import { secondFactorEvent } from './second-factor-events.ts';

/**
 * Removes the second factor of a user who lost it. Only the operator can do this: a password and a reset link are not
 * enough. The user sees the reset and its reason. Sessions of the user stay.
 */
export const resetSecondFactor = authorized(
  MANAGE_USERS,
  ({ users, secondFactors, clock }: Ports<'users' | 'secondFactors' | 'clock'>) =>
    async (caller, input: { readonly email: string; readonly reason: string }) => {
      const checked = checkText('reason', input.reason, 500);
      if (!checked.ok) return checked;
      const reason = input.reason.trim();
      if (reason === '') return invalid('reason', 'is required');
      const found = await findPerson(users, caller, input);
      if (!found.ok) return found;
      const at = clock.now();
      const event = secondFactorEvent(at, 'user.second_factor_reset', found.value, { reason });
      const reset = await secondFactors.reset(found.value.id, { at, reason }, eventBy(caller, event));
      return reset.ok ? ok({ user: reset.value }) : reset;
    },
);
