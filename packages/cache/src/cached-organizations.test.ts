import { UnavailableFault } from '@gatehouse/domain';
import type {
  Organization,
  OrganizationId,
  OrganizationReader,
  OrganizationView,
} from '@gatehouse/domain/organizations';
import {
  createInMemoryRepositories,
  givenAccount,
  givenAdmin,
  givenMember,
  givenOrganization,
  givenUser,
  readerFrom,
} from '@gatehouse/domain/testing';
import type { User } from '@gatehouse/domain/users';
import { beforeEach, describe, expect, test } from 'vitest';
import { AMPLE, createFeedParts, type FeedParts, MAX_STALENESS_MS } from '../testing/parts.ts';
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
