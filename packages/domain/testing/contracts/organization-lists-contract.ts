import { describe, expect, test } from 'vitest';
import type { Organization, OrganizationId } from '../../src/organizations/index.ts';
import {
  anEvent,
  anOrganization,
  givenAccount,
  givenMember,
  givenOrganization,
  givenUser,
  START,
  unwrap,
} from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { openRepositories } from './open-repositories.ts';
import { pagesOf } from './pages-of.ts';

/** A limit above the number of records in any test. */
const ALL = { limit: 10_000 };

export function organizationListsContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of OrganizationLists`, () => {
    const store = openRepositories(open);

    test('the organizations of an account are listed by id, page by page', async () => {
      const { id: accountId } = await givenAccount(store());
      const give = async (id = accountId) => givenOrganization(store(), id);
      const mine = [await give(), await give()];
      await give((await givenAccount(store())).id);
      mine.push(await give());
      const { list } = store().organizationLists;
      expect(await list({ accountId, ...ALL })).toEqual(mine);
      expect(await pagesOf<Organization>((page) => list({ accountId, ...page }))).toEqual(mine);
      const newest = { accountId, order: 'newest' } as const;
      expect(await pagesOf<Organization>((page) => list({ ...newest, ...page }))).toEqual(mine.toReversed());
    });

    test('the organizations of a member are listed by id, page by page, and none of another account', async () => {
      const member = await givenUser(store(), (await givenAccount(store())).id, { role: 'member' });
      const { accountId, id: memberId } = member;
      const give = async () => givenOrganization(store(), accountId);
      const [one, closed, other] = [await give(), await give(), await give()];
      for (const { id } of [other, one]) await givenMember(store(), id, memberId);
      const colleague = await givenUser(store(), accountId, { role: 'member' });
      await givenMember(store(), closed.id, colleague.id);
      const { list } = store().organizationLists;
      const query = { accountId, memberId };
      expect(await list({ ...query, ...ALL })).toEqual([one, other]);
      expect(await pagesOf<Organization>((page) => list({ ...query, ...page }))).toEqual([one, other]);
      expect(await list({ ...query, after: one.id, limit: 1 })).toEqual([other]);
      expect(await list({ ...query, order: 'newest', ...ALL })).toEqual([other, one]);
      expect(await list({ ...query, order: 'newest', after: other.id, limit: 1 })).toEqual([one]);
      const elsewhere = (await givenAccount(store())).id;
      expect(await list({ memberId, accountId: elsewhere, ...ALL })).toEqual([]);
      await store().organizations.removeMember({ organizationId: one.id, userId: memberId }, anEvent());
      expect(await list({ ...query, ...ALL })).toEqual([other]);
    });

    test('a search finds a part of a name in upper and lower case, of the account and of a member', async () => {
      const member = await givenUser(store(), (await givenAccount(store())).id, { role: 'member' });
      const { accountId, id: memberId } = member;
      const give = async (name: string, id = accountId) => {
        const { id: _, ...parts } = anOrganization({ accountId: id, name });
        return unwrap(await store().organizations.insert(parts, () => anEvent()));
      };
      const press = await give('Press SHOP 100%');
      const shop = await give('Shop_floor');
      await give('Foundry');
      await give('Shop', (await givenAccount(store())).id);
      await givenMember(store(), shop.id, memberId);
      const find = (search: string, of = {}) =>
        store().organizationLists.list({ accountId, search, ...of, ...ALL });
      expect(await find('shop')).toEqual([press, shop]);
      expect(await find('SHOP', { memberId })).toEqual([shop]);
      expect(await find('0%')).toEqual([press]);
      expect(await find('p_f')).toEqual([shop]);
      expect(await find('shops')).toEqual([]);
      expect(await find('shop', { after: press.id })).toEqual([shop]);
    });

    test('members are counted up to a limit', async () => {
      const { id: accountId } = await givenAccount(store());
      const [empty, full] = [
        await givenOrganization(store(), accountId),
        await givenOrganization(store(), accountId),
      ];
      const users = [];
      for (let number = 0; number < 3; number += 1) users.push(await givenUser(store(), accountId));
      for (const { id } of users) await givenMember(store(), full.id, id);
      const count = (countLimit: number, of = {}) =>
        store().organizationLists.listCounted({ accountId, countLimit, ...of, ...ALL });
      expect(await count(10)).toEqual([
        { organization: empty, members: 0 },
        { organization: full, members: 3 },
      ]);
      const memberId = users[0]?.id;
      expect(await count(2, { memberId })).toEqual([{ organization: full, members: 2 }]);
    });

    test('members are listed by the ids of the users, page by page, with the time since when', async () => {
      const { id: accountId } = await givenAccount(store());
      const { id: organizationId } = await givenOrganization(store(), accountId);
      const other = await givenOrganization(store(), accountId);
      const users = [];
      for (let number = 0; number < 3; number += 1) users.push(await givenUser(store(), accountId));
      for (const { id } of users.toReversed()) await givenMember(store(), organizationId, id);
      const [first, second] = users;
      if (!first || !second) throw new Error('no users');
      await givenMember(store(), other.id, first.id);
      const list = (page: object) =>
        store().organizationLists.listMembers({ organizationId, ...ALL, ...page });
      expect(await list({})).toEqual(users.map((user) => ({ user, addedAt: START })));
      expect(await list({ after: first.id, limit: 1 })).toEqual([{ user: second, addedAt: START }]);
      const none = { organizationId: 999_999_999 as OrganizationId, ...ALL };
      expect(await store().organizationLists.listMembers(none)).toEqual([]);
    });
  });
}
