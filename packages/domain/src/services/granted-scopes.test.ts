import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aService, aServiceScope, START } from '../../testing/index.ts';
import type { NarrowScope, Scope } from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import { grantedScopes } from './granted-scopes.ts';
import { everyScopeOf, type ServiceName } from './service.ts';

const ACCOUNT = 1 as AccountId;
const ORDERS = 'orders' as ServiceName;

const names: readonly NarrowScope[] = ['orders:read', 'orders:write', 'orders:close'];
const others: readonly Scope[] = ['*', 'orgs:read', 'order:read', 'orders-2:read', 'stock:*'];

const aName = fc.constantFrom(...names);

const anySubset = <T>(items: readonly T[]) => fc.subarray([...items]);

/** A service whose scopes are living or removed, which is open or closed to the account, and deleted or not. */
const anyService = fc
  .record({
    removed: anySubset(names),
    openTo: fc.constantFrom('all' as const, [ACCOUNT], [], [2 as AccountId]),
    deletedAt: fc.constantFrom(null, START),
  })
  .map(({ removed, openTo, deletedAt }) =>
    aService({
      name: ORDERS,
      openTo,
      deletedAt,
      scopes: names.map((name) => aServiceScope(name, { removedAt: removed.includes(name) ? START : null })),
    }),
  );

const anyScopes = fc
  .tuple(anySubset([...names, everyScopeOf(ORDERS)]), anySubset(others))
  .map(([own, foreign]): readonly Scope[] => [...foreign, ...own]);

test('a token has the living scopes that it names, or all of them by `orders:*`', () => {
  fc.assert(
    fc.property(anyService, anyScopes, aName, (service, scopes, name) => {
      const scope = service.scopes.find((each) => each.name === name);
      const isOpen = service.openTo === 'all' || service.openTo.includes(ACCOUNT);
      const isGranted =
        service.deletedAt === null &&
        isOpen &&
        scope?.removedAt === null &&
        (scopes.includes(name) || scopes.includes('orders:*'));
      expect(grantedScopes(service, { accountId: ACCOUNT, scopes }).includes(name)).toBe(isGranted);
    }),
  );
});

test('`*`, and scopes that only look alike, grant nothing, so a token gains nothing when a service is added', () => {
  fc.assert(
    fc.property(anyService, anySubset(others), (service, scopes) => {
      expect(grantedScopes(service, { accountId: ACCOUNT, scopes })).toEqual([]);
    }),
  );
});
