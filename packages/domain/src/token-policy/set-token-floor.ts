import { authorized, SET_TOKEN_FLOOR } from '../access/index.ts';
import { eventBy } from '../audit/event-by.ts';
import { refuseWhileOlder } from '../editions/refuse-while-older.ts';
import type { Ports } from '../ports.ts';
import { changedLimits, changeEach, type LimitChanges } from './change-token-rules.ts';
import { readLimitableScopes } from './limitable-scopes.ts';
import { floorSet } from './policy-events.ts';
import type { TokenHolder } from './token-policy.ts';

type FloorChanges = Readonly<Partial<Record<TokenHolder, LimitChanges>>>;

/**
 * Changes the limits for the tokens of all accounts. Tokens that exist do not change. Returns the floor before and
 * after the change.
 */
export const setTokenFloor = authorized(
  SET_TOKEN_FLOOR,
  ({
    tokenPolicies,
    clock,
    ...ports
  }: Ports<'tokenPolicies' | 'catalog' | 'services' | 'editions' | 'clock'>) =>
    async (caller, changes: FloorChanges) => {
      const known = await refuseWhileOlder(ports);
      if (!known.ok) return known;
      const parse = await readLimitableScopes(ports);
      return tokenPolicies.setFloor(
        (before) => changeEach(before, changes, (limits, change) => changedLimits(limits, change, parse)),
        (before, after) => eventBy(caller, floorSet({ before, after }, clock.now())),
      );
    },
);
