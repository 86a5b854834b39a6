import type { AccountId } from '../accounts/account.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import { eventOf } from '../audit/event-by.ts';
import { formatDuration } from '../time/duration.ts';
import type { Instant } from '../time/instant.ts';
import type { RulesUpdate } from './token-policies.ts';
import {
  TOKEN_HOLDERS,
  type TokenFloor,
  type TokenHolder,
  type TokenLimits,
  type TokenPolicy,
  type TokenRules,
} from './token-policy.ts';

/** The event of an account whose rules were changed. It has the old and the new value of what was changed. */
export function policySet(accountId: AccountId, update: RulesUpdate<TokenPolicy>, at: Instant) {
  return eventOf(at, 'account.policy_set', { id: accountId, accountId }, changesIn(update));
}

/** The event of a floor that was changed. It has the old and the new value of what was changed. */
export function floorSet(update: RulesUpdate<TokenFloor>, at: Instant) {
  return eventOf(at, 'floor.set', { id: 'tokens' }, changesIn(update));
}

function changesIn({ before, after }: RulesUpdate<TokenFloor>): AuditEvent['details'] {
  return Object.fromEntries(
    TOKEN_HOLDERS.flatMap((holder) => {
      const [former, now] = [detailsOf(holder, before[holder]), detailsOf(holder, after[holder])];
      return Object.entries(now)
        .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(former[name]))
        .flatMap(([name, value]) => [
          [name, value],
          [`former_${name}`, former[name] ?? null],
        ]);
    }),
  );
}

function detailsOf(holder: TokenHolder, rules: TokenLimits & Partial<TokenRules>): AuditEvent['details'] {
  const { mustExpire, maxLifetimeMs, scopes, mustHaveNetworks, defaultLifetimeMs, confirmWithinMs } = rules;
  const duration = (lifetimeMs: number | null) => (lifetimeMs === null ? null : formatDuration(lifetimeMs));
  return {
    [`${holder}_must_expire`]: mustExpire,
    [`${holder}_max_lifetime`]: duration(maxLifetimeMs),
    [`${holder}_scopes`]: scopes,
    [`${holder}_must_have_networks`]: mustHaveNetworks,
    // Only for persons, and not of the floor.
    ...(holder === 'person' &&
      confirmWithinMs !== undefined && { [`${holder}_confirm_within`]: duration(confirmWithinMs) }),
    ...(defaultLifetimeMs !== undefined && { [`${holder}_default_lifetime`]: duration(defaultLifetimeMs) }),
  };
}
