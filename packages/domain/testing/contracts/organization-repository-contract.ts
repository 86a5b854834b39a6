import { describe, expect, test } from 'vitest';
import { type AccountId, err, type OrganizationId, ok, type UserId } from '../../src/index.ts';
import { anEvent, givenAccount, givenMember, givenOrganization, givenUser, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openStore } from './open-store.ts';

const NONE = 999_999_999;

export function organizationRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of OrganizationRepository`, () => {
    const store = openStore(open);

    test('an inserted organization is found by its id, with its event', async () => {
      const { id: accountId } = await givenAccount(store());
      const inserted = await store().organizations.insert(
        { accountId, name: 'Press shop', description: 'Zeile 1\nZeile 2 ✓', createdAt: START },
        (created) => anEvent({ subject: { type: 'organization', id: String(created.id) }, accountId }),
      );
      if (!inserted.ok) throw new Error(inserted.error.code);
      const organization = inserted.value;
      expect(organization).toMatchObject({
        accountId,
        name: 'Press shop',
        description: 'Zeile 1\nZeile 2 ✓',
      });
      expect(await store().organizations.findById(organization.id)).toEqual(organization);
      expect((await newestEvent(store()))?.subject).toEqual({
        type: 'organization',
        id: String(organization.id),
      });
    });

    test('an organization of no account is refused', async () => {
      const organization = {
        accountId: NONE as AccountId,
        name: 'None',
        description: null,
        createdAt: START,
      };
      const inserted = await store().organizations.insert(organization, () => anEvent());
      expect(inserted).toEqual(err({ code: 'account_not_found' }));
    });

    test('one read tells the organization and whether this user is a member', async () => {
      const account = await givenAccount(store());
      const organization = await givenOrganization(store(), account.id);
      const member = await givenUser(store(), account.id, { role: 'member' });
      const other = await givenUser(store(), account.id);
      await givenMember(store(), organization.id, member.id);
      const { organizations } = store();
      expect(await organizations.findForUser(organization.id, member.id)).toSatisfy(isDeeplyFrozen);
      expect(await organizations.findForUser(organization.id, member.id)).toEqual({
        organization,
        isMember: true,
      });
      expect(await organizations.findForUser(organization.id, other.id)).toEqual({
        organization,
        isMember: false,
      });
      expect(await organizations.findForUser(NONE as OrganizationId, member.id)).toBeUndefined();
      expect(await organizations.findById(NONE as OrganizationId)).toBeUndefined();
    });

    test('ids up to 2^53-1 are looked up exactly', async () => {
      const largest = Number.MAX_SAFE_INTEGER as OrganizationId;
      expect(await store().organizations.findForUser(largest, 1 as UserId)).toBeUndefined();
    });

    test('organizations are listed by id, of one account or of all', async () => {
      const account = await givenAccount(store());
      const mine = [
        await givenOrganization(store(), account.id),
        await givenOrganization(store(), account.id),
      ];
      await givenOrganization(store(), (await givenAccount(store())).id);
      expect(await store().organizations.list({ accountId: account.id })).toEqual(mine);
      const all = (await store().organizations.list({})).map((organization) => organization.id);
      expect(all).toEqual(all.toSorted((a, b) => a - b));
      expect(all.length).toBeGreaterThan(mine.length);
    });

    test('a member is added once, and adding again is no error and no event', async () => {
      const account = await givenAccount(store());
      const { id: organizationId } = await givenOrganization(store(), account.id);
      const { id: userId } = await givenUser(store(), account.id);
      const add = (origin: string) =>
        store().organizations.addMember(
          { organizationId, userId, at: START },
          anEvent({ action: 'organization.member_added', origin }),
        );
      expect(await add('first')).toEqual(ok(true));
      expect(await add('second')).toEqual(ok(false));
      expect(await newestEvent(store())).toMatchObject({
        action: 'organization.member_added',
        origin: 'first',
      });
    });

    test('users of another account, unknown users and unknown organizations are refused', async () => {
      const account = await givenAccount(store());
      const { id: organizationId } = await givenOrganization(store(), account.id);
      const stranger = await givenUser(store(), (await givenAccount(store())).id);
      const add = (organization: number, user: number) =>
        store().organizations.addMember(
          { organizationId: organization as OrganizationId, userId: user as UserId, at: START },
          anEvent(),
        );
      expect(await add(organizationId, stranger.id)).toEqual(err({ code: 'member_of_another_account' }));
      expect(await add(organizationId, NONE)).toEqual(err({ code: 'user_not_found' }));
      expect(await add(NONE, stranger.id)).toEqual(err({ code: 'organization_not_found' }));
    });
  });
}
