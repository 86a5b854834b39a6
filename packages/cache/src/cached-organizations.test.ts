import { UnavailableFault } from '@gatehouse/domain';
import type { AccountId } from '@gatehouse/domain/accounts';
import type {
  Organization,
  OrganizationId,
  OrganizationReader,
  OrganizationView,
} from '@gatehouse/domain/organizations';
import {
  anOrganization,
  aReader,
  createInMemoryRepositories,
  givenAccount,
  givenAdmin,
  givenMember,
  givenOrganization,
  givenUser,
  readerFrom,
} from '@gatehouse/domain/testing';
import type { User, UserId } from '@gatehouse/domain/users';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { AMPLE, createFeedParts, type FeedParts, MAX_STALENESS_MS } from '../testing/parts.ts';
import { createOrganizationStore, viewKey } from './cached-organizations.ts';
import { createReadCaches } from './read-caches.ts';

describe('cached organizations', () => {
  let parts: FeedParts;
  let store: ReturnType<typeof createInMemoryRepositories>;
  let organization: Organization;
  let member: User;
  let admin: User;
  let reads: number;
  let organizations: Pick<typeof store.organizations, 'findForUser'>;

  beforeEach(async () => {
    parts = createFeedParts();
    parts.feed.beat();
    store = createInMemoryRepositories();
    const { id } = await givenAccount(store);
    organization = await givenOrganization(store, id);
    member = await givenUser(store, id, { role: 'member' });
    admin = await givenUser(store, id);
    await givenMember(store, organization.id, member.id);
    reads = 0;
    const { cachedOrganizations } = createReadCaches({ ...parts, limits: AMPLE });
    organizations = cachedOrganizations({
      // As from a database: another object each time.
      async findForUser(asked, reader) {
        reads += 1;
        const view = await store.organizations.findForUser(asked, reader);
        return view && { ...view, organization: { ...view.organization } };
      },
    });
  });

  const find = async (user: User): Promise<OrganizationView> => {
    const view = await organizations.findForUser(organization.id, readerFrom(user));
    if (!view) throw new Error('absent');
    return view;
  };

  test('are the same object for all users, until they change', async () => {
    const first = await find(member);
    const second = await find(admin);
    expect([first.isMember, second.isMember]).toEqual([true, false]);
    expect(second.organization).toBe(first.organization);
    expect((await find(member)).organization).toBe(first.organization);
    expect(reads).toBe(2);

    parts.feed.tell({ kind: 'organization', id: organization.id });
    const changed = await find(member);
    expect(changed.organization).not.toBe(first.organization);
    expect((await find(admin)).organization).toBe(changed.organization);
    expect(reads).toBe(3);
  });

  test('are the same object for concurrent requests of two users', async () => {
    const [first, second] = await Promise.all([find(member), find(admin)]);
    expect(second.organization).toBe(first.organization);
  });

  test('cache membership and its absence, until the membership changes', async () => {
    await find(member);
    await find(admin);
    await givenMember(store, organization.id, admin.id);
    const joined = { kind: 'membership', organizationId: organization.id, userId: admin.id } as const;
    parts.feed.tell(joined);
    expect((await find(admin)).isMember).toBe(true);
    expect(reads).toBe(3);
    expect((await find(member)).isMember).toBe(true);
    expect(reads).toBe(3);
  });

  test('stay when users, tokens, accounts and keys change', async () => {
    await find(member);
    parts.feed.tell({ kind: 'user', id: member.id });
    parts.feed.tell({ kind: 'account', id: member.accountId });
    parts.feed.tell({ kind: 'token', id: 'token' as never });
    parts.feed.tell({ kind: 'key', id: 'key' as never });
    await find(member);
    expect(reads).toBe(1);
  });

  test('of another account are read each time, like ones that do not exist, however often their own users read them', async () => {
    const outsider = readerFrom(await givenAdmin(store));
    for (const id of [organization.id, 999 as OrganizationId]) {
      await find(member);
      const before = reads;
      expect(await organizations.findForUser(id, outsider)).toBeUndefined();
      expect(await organizations.findForUser(id, outsider)).toBeUndefined();
      expect(reads - before).toBe(2);
    }
  });

  test('of another account are not read again if they change during the read', async () => {
    const outsider = readerFrom(await givenAdmin(store));
    const looking = organizations.findForUser(organization.id, outsider);
    parts.feed.tell({ kind: 'organization', id: organization.id });
    expect(await looking).toBeUndefined();
    expect(reads).toBe(1);
  });

  test('are not visible to a user who was moved to another account', async () => {
    await find(member);
    const moved = { ...readerFrom(member), accountId: (await givenAccount(store)).id };
    expect(await organizations.findForUser(organization.id, moved)).toBeUndefined();
  });

  test('are dropped when everything changed, and read each time while the feed is not fresh', async () => {
    await find(member);
    parts.feed.lose();
    await find(member);
    await find(member);
    expect(reads).toBe(3);
    parts.feed.beat();
    await find(member);
    await find(member);
    expect(reads).toBe(4);
    parts.pass(MAX_STALENESS_MS + 1);
    await find(member);
    expect(reads).toBe(5);
  });

  test.each(['organizations', 'memberships'] as const)(
    'are dropped when any %s may have changed, and not cached if that happens during the read',
    async (kind) => {
      await find(member);
      parts.feed.tell({ kind });
      await find(member);
      expect(reads).toBe(2);
      const reading = find(admin);
      parts.feed.tell({ kind });
      await reading;
      expect(reads).toBe(4);
    },
  );

  test('pass on a fault of the store', async () => {
    const { cachedOrganizations } = createReadCaches({ ...parts, limits: AMPLE });
    const gone = cachedOrganizations({
      findForUser: async (_id: OrganizationId, _reader: OrganizationReader) =>
        Promise.reject(new UnavailableFault('gone')),
    });
    await expect(gone.findForUser(organization.id, readerFrom(admin))).rejects.toThrow(UnavailableFault);
  });

  test.each([{ organizations: { entries: 0, bytes: 1 } }, { memberships: 0 }])(
    'are off with a limit of 0 entries: %o',
    (none) => {
      const off = createReadCaches({ ...parts, limits: { ...AMPLE, ...none } });
      expect(off.cachedOrganizations(store.organizations)).toBe(store.organizations);
    },
  );
});

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
