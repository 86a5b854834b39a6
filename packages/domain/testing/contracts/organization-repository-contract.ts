import { describe, expect, test } from 'vitest';
import type { AccountId } from '../../src/accounts/index.ts';
import { err, ok } from '../../src/index.ts';
import type { Organization, OrganizationId } from '../../src/organizations/index.ts';
import type { OrganizationChanges } from '../../src/organizations/organization.ts';
import type { UserId } from '../../src/users/index.ts';
import {
  anEvent,
  aReader,
  givenAccount,
  givenAdmin,
  givenAdmins,
  givenMember,
  givenOrganization,
  givenUser,
  readerFrom,
  START,
  unwrap,
} from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { actingOrganizationAdminContract } from './acting-organization-admin-contract.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';
import { pagesOf } from './pages-of.ts';

const NONE = 999_999_999;

/** A limit above the number of records in any test. */
const ALL = { limit: 10_000 };

export function organizationRepositoryContract(name: string, open: OpenRepositories): void {
  actingOrganizationAdminContract(name, open);

  describe(`${name} keeps the contract of OrganizationRepository`, () => {
    const store = openRepositories(open);

    test('an inserted organization is found by its id, with its event', async () => {
      const { id: accountId } = await givenAccount(store());
      const given = { accountId, name: 'Press shop', description: 'Zeile 1\nZeile 2 ✓', createdAt: START };
      const organization = unwrap(
        await store().organizations.insert(given, ({ id }) => anEvent({ origin: `made ${id}` })),
      );
      expect(organization).toEqual({ id: organization.id, ...given });
      expect(await store().organizations.findById(organization.id)).toEqual(organization);
      expect((await newestEvent(store()))?.origin).toBe(`made ${organization.id}`);
    });

    test('an organization of an unknown account is refused', async () => {
      const organization = {
        accountId: NONE as AccountId,
        name: 'None',
        description: null,
        createdAt: START,
      };
      const inserted = await store().organizations.insert(organization, () => anEvent());
      expect(inserted).toEqual(err({ code: 'account_not_found' }));
    });

    test('one read returns the organization and whether this user is a member', async () => {
      const account = await givenAccount(store());
      const organization = await givenOrganization(store(), account.id);
      const member = await givenUser(store(), account.id, { role: 'member' });
      const other = await givenUser(store(), account.id);
      await givenMember(store(), organization.id, member.id);
      const { findForUser, findById } = store().organizations;
      const found = await findForUser(organization.id, readerFrom(member));
      expect(found).toSatisfy(isDeeplyFrozen);
      expect(found).toEqual({ organization, isMember: true });
      const notMember = { organization, isMember: false };
      expect(await findForUser(organization.id, readerFrom(other))).toEqual(notMember);
      expect(await findForUser(NONE as OrganizationId, readerFrom(member))).toBeUndefined();
      expect(await findById(NONE as OrganizationId)).toBeUndefined();
    });

    test('an organization of another account is absent, also after its own users read it', async () => {
      const account = await givenAccount(store());
      const organization = await givenOrganization(store(), account.id);
      const member = await givenUser(store(), account.id, { role: 'member' });
      const outsider = await givenAdmin(store());
      await givenMember(store(), organization.id, member.id);
      const { findForUser } = store().organizations;
      for (const reader of [outsider, member, outsider, outsider]) {
        const found = reader === member ? { organization, isMember: true } : undefined;
        expect(await findForUser(organization.id, readerFrom(reader))).toEqual(found);
      }
      // The account decides even if the user is a member.
      const elsewhere = { ...readerFrom(member), accountId: outsider.accountId };
      expect(await findForUser(organization.id, elsewhere)).toBeUndefined();
      expect(await findForUser(organization.id, readerFrom(member))).toMatchObject({ isMember: true });
    });

    test('ids up to 2^53-1 are looked up exactly', async () => {
      const largest = Number.MAX_SAFE_INTEGER as OrganizationId;
      expect(await store().organizations.findForUser(largest, aReader())).toBeUndefined();
    });

    test('organizations are listed by id, of one account or of all, page by page', async () => {
      const account = await givenAccount(store());
      const give = async ({ id } = account) => givenOrganization(store(), id);
      const mine = [await give(), await give()];
      await give(await givenAccount(store()));
      expect(await store().organizations.list({ accountId: account.id, ...ALL })).toEqual(mine);
      const all = (await store().organizations.list(ALL)).map((organization) => organization.id);
      expect(all).toEqual(all.toSorted((a, b) => a - b));
      expect(all.length).toBeGreaterThan(mine.length);
      const paged = (of: { readonly accountId?: AccountId }) =>
        pagesOf<Organization>((page) => store().organizations.list({ ...page, ...of }));
      expect(await paged({})).toHaveLength(all.length);
      expect(await paged({ accountId: account.id })).toEqual(mine);
    });

    test('a member is added once; adding again is neither an error nor an event', async () => {
      const { id: userId, accountId } = await givenAdmin(store());
      const { id: organizationId } = await givenOrganization(store(), accountId);
      const member = { organizationId, userId, at: START };
      const add = (origin: string) => store().organizations.addMember(member, anEvent({ origin }));
      expect(await add('first')).toEqual(ok(true));
      expect(await add('second')).toEqual(ok(false));
      expect((await newestEvent(store()))?.origin).toBe('first');
    });

    test('users of another account, unknown users and unknown organizations are refused', async () => {
      const account = await givenAccount(store());
      const { id: organizationId } = await givenOrganization(store(), account.id);
      const outsider = await givenAdmin(store());
      const add = (organization: number, user: number) =>
        store().organizations.addMember(
          { organizationId: organization as OrganizationId, userId: user as UserId, at: START },
          anEvent(),
        );
      expect(await add(organizationId, outsider.id)).toEqual(err({ code: 'member_of_another_account' }));
      expect(await add(organizationId, NONE)).toEqual(err({ code: 'user_not_found' }));
      expect(await add(NONE, outsider.id)).toEqual(err({ code: 'organization_not_found' }));
    });

    test('an update changes the given fields only, with an event created from the previous state', async () => {
      const { organizations } = store();
      const before = await givenOrganization(store(), (await givenAccount(store())).id);
      const update = (changes: OrganizationChanges, origin = 'update') =>
        organizations.update(before.id, changes, (was) => anEvent({ origin, details: { was: was.name } }));

      const described = { ...before, description: 'Hall 3' };
      expect(await update({ description: 'Hall 3' })).toEqual(
        ok({ organization: described, already: false }),
      );
      const renamed = { ...described, name: 'Foundry' };
      expect(await update({ name: 'Foundry' })).toEqual(ok({ organization: renamed, already: false }));
      expect(await newestEvent(store())).toMatchObject({ details: { was: before.name } });
      expect(await organizations.findById(before.id)).toEqual(renamed);
      const same = await update({ name: 'Foundry', description: 'Hall 3' }, 'again');
      expect(same).toEqual(ok({ organization: renamed, already: true }));
      expect(await newestEvent(store())).toMatchObject({ origin: 'update' });

      const cleared = ok({ organization: { ...renamed, description: null }, already: false });
      expect(await update({ description: null })).toEqual(cleared);
      const none = organizations.update(NONE as OrganizationId, { name: 'x' }, () => anEvent());
      expect(await none).toEqual(err({ code: 'organization_not_found' }));
    });

    test('an update whose event cannot be created changes nothing', async () => {
      const before = await givenOrganization(store(), (await givenAccount(store())).id);
      const update = store().organizations.update(before.id, { name: 'Never' }, () => {
        throw new Error('no event');
      });
      await expect(update).rejects.toThrow('no event');
      expect(await store().organizations.findById(before.id)).toEqual(before);
    });

    test('a deleted organization is gone with its memberships, and its event has its name', async () => {
      const account = await givenAccount(store());
      const { organizations } = store();
      const target = await givenOrganization(store(), account.id);
      const other = await givenOrganization(store(), account.id);
      const users = [await givenUser(store(), account.id), await givenUser(store(), account.id)] as const;
      for (const { id } of users) await givenMember(store(), target.id, id);
      await givenMember(store(), other.id, users[0].id);
      expect(await organizations.countMembers(target.id)).toBe(2);

      const details = { name: target.name, members: 2 };
      const deleted = await organizations.delete(target.id, ({ organization: { name }, members }) =>
        anEvent({ details: { name, members } }),
      );
      expect(deleted).toEqual(ok({ organization: target, members: 2 }));
      expect(await newestEvent(store())).toMatchObject({ details });
      expect(await organizations.findById(target.id)).toBeUndefined();
      expect(await organizations.findForUser(target.id, readerFrom(users[0]))).toBeUndefined();
      expect(await organizations.countMembers(target.id)).toBe(0);
      expect(await organizations.countMembers(other.id)).toBe(1);
      expect(await organizations.delete(target.id, () => anEvent({ origin: 'x' }))).toEqual(
        err({ code: 'organization_not_found' }),
      );
      expect(await newestEvent(store())).toMatchObject({ details });
      expect((await givenOrganization(store(), account.id)).id).toBeGreaterThan(other.id);
    });

    test('a member is removed once; removing again is neither an error nor an event', async () => {
      const [user, stays] = await givenAdmins(store());
      const { id } = await givenOrganization(store(), user.accountId);
      for (const member of [user, stays]) await givenMember(store(), id, member.id);
      const remove = (origin: string, organizationId = id) =>
        store().organizations.removeMember({ organizationId, userId: user.id }, anEvent({ origin }));
      expect(await remove('first')).toEqual(ok(true));
      expect(await remove('second')).toEqual(ok(false));
      const unknown = await remove('third', NONE as OrganizationId);
      expect(unknown).toEqual(err({ code: 'organization_not_found' }));
      expect((await newestEvent(store()))?.origin).toBe('first');
      const views = [user, stays].map((member) => store().organizations.findForUser(id, readerFrom(member)));
      expect((await Promise.all(views)).map((view) => view?.isMember)).toEqual([false, true]);
    });
  });
}
