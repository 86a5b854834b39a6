import type { AccountId } from '@gatehouse/domain/accounts';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import { anOrganization, aReader } from '@gatehouse/domain/testing';
import type { UserId } from '@gatehouse/domain/users';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOrganizationStore, viewKey } from './organization-store.ts';

const id = fc.oneof(
  fc.integer({ min: 1, max: 3 }),
  fc.integer({ min: 2 ** 26 - 2, max: 2 ** 26 + 2 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);
const pair = fc.tuple(
  id.map((number) => number as OrganizationId),
  id.map((number) => number as UserId),
);

test('no two pairs of organization and user have the same key', () => {
  fc.assert(
    fc.property(pair, pair, (one, other) => {
      expect(viewKey(...one) === viewKey(...other)).toBe(one[0] === other[0] && one[1] === other[1]);
    }),
    { numRuns: 10_000 },
  );
});

const organization = (serial: number, length = 0) =>
  anOrganization({ id: serial as OrganizationId, description: 'd'.repeat(length) });

test('the least recently used are dropped, organizations by bytes and memberships by number', () => {
  const store = createOrganizationStore({ organizations: { entries: 100, bytes: 10_000 }, memberships: 3 });
  const reader = (userId: number) => aReader({ userId: userId as UserId });
  const ada = aReader();
  const holds = (serial: number) => store.get(serial as OrganizationId, ada) !== undefined;

  store.keep({ organization: organization(1, 2000), isMember: true }, ada);
  store.keep({ organization: organization(2, 2000), isMember: true }, ada);
  expect([holds(2), holds(1)]).toEqual([true, true]);
  store.keep({ organization: organization(3, 2000), isMember: true }, ada);
  expect([holds(1), holds(2), holds(3)]).toEqual([true, false, true]);

  for (const userId of [2, 3, 4]) {
    store.keep({ organization: organization(3, 2000), isMember: false }, reader(userId));
  }
  expect(holds(3)).toBe(false);

  // One that is larger than all the room is answered, and not held.
  const huge = store.keep({ organization: organization(9, 9000), isMember: true }, ada);
  expect(huge.organization.id).toBe(9);
  expect(holds(9)).toBe(false);
});

test('a look-up by another account finds nothing, and does not change which entry is dropped next', () => {
  const store = createOrganizationStore({ organizations: { entries: 2, bytes: 10_000 }, memberships: 10 });
  const own = aReader();
  const outsider = aReader({ userId: 2 as UserId, accountId: 2 as AccountId });
  for (const serial of [1, 2]) store.keep({ organization: organization(serial), isMember: true }, own);
  expect(store.get(1 as OrganizationId, outsider)).toBeUndefined();
  store.keep({ organization: organization(3), isMember: true }, own);
  const held = [1, 2, 3].filter((serial) => store.get(serial as OrganizationId, own));
  expect(held).toEqual([2, 3]);
});
