import {
  authorize,
  authorized,
  SET_SECOND_FACTOR_POLICY,
  SHOW_SECOND_FACTOR_POLICY,
} from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import { refuseWhileOlder } from '../editions/refuse-while-older.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import type { SecondFactorPolicy } from './second-factor.ts';

/** Returns from whom of the account a second factor is demanded. For a user, an account of others is not found. */
export const showSecondFactorPolicy = authorized(
  SHOW_SECOND_FACTOR_POLICY,
  ({ secondFactors }: Ports<'secondFactors'>) =>
    async (caller, accountId: AccountId) => {
      const isKnown = authorize(caller, SHOW_SECOND_FACTOR_POLICY, { accountId }).ok;
      const policy = isKnown ? await secondFactors.findPolicy(accountId) : undefined;
      return policy === undefined ? err({ code: 'account_not_found' }) : ok(policy);
    },
);

interface PolicyInput {
  readonly accountId: AccountId;
  readonly policy: SecondFactorPolicy;
}

/**
 * Sets from whom of the account a second factor is demanded. An admin who has none is led to the enrolment, and can no
 * longer sign in by the API with a password. An older server would not demand it, so it waits for its end.
 */
export const setSecondFactorPolicy = authorized(
  SET_SECOND_FACTOR_POLICY,
  ({ secondFactors, clock, ...ports }: Ports<'secondFactors' | 'editions' | 'clock'>) =>
    async (caller, { accountId, policy }: PolicyInput) => {
      if (!authorize(caller, SET_SECOND_FACTOR_POLICY, { accountId }).ok)
        return err({ code: 'account_not_found' });
      if (policy !== 'optional') {
        const known = await refuseWhileOlder(ports);
        if (!known.ok) return known;
      }
      return secondFactors.setPolicy(accountId, policy, (before) => {
        const details = { second_factor: policy, former_second_factor: before };
        const subject = { id: accountId, accountId };
        return eventBy(caller, eventOf(clock.now(), 'account.second_factor_set', subject, details));
      });
    },
);
