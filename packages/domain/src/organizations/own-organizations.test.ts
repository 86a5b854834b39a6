import { beforeEach, describe, expect, test } from 'vitest';
import {
  allPages,
  createWorldWithAdmins,
  givenMember,
  givenOrganization,
  givenPerson,
  givenUser,
  inPerson,
  OPERATOR,
  type World,
} from '../../testing/index.ts';
import { findOrganizationLosses } from '../extensions/index.ts';
import { err, ok } from '../result.ts';
import type { User } from '../users/user.ts';
import { listOwnOrganizations } from './list-own-organizations.ts';
import { listReadableOrganizations } from './list-readable-organizations.ts';
import { addMember, removeMember } from './manage-members.ts';
import {
  createOrganization,
  deleteOrganization,
  listOrganizations,
  updateOrganization,
} from './manage-organizations.ts';
import type { Organization } from './organization.ts';
import { showOrganization } from './show-organization.ts';

const NOT_FOUND = err({ code: 'organization_not_found' });

describe('an admin in person', () => {
  let world: World;
  let ada: User;
  let eve: User;
  let ben: User;
  let shop: Organization;
  let foreign: Organization;

  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
    ben = await givenPerson(world, { accountId: ada.accountId, email: 'ben@acme.example', role: 'member' });
    shop = await givenOrganization(world, ada.accountId);
    foreign = await givenOrganization(world, eve.accountId);
  });

  const events = () => world.audit.list({ limit: 100 });

  test('creates, changes and deletes organizations of the account, and changes their members', async () => {
    const admin = inPerson(ada);
    const { accountId } = ada;
    const created = await createOrganization(world)(admin, { accountId, name: 'Foundry', description: null });
    const id = created.ok ? created.value.id : expect.fail();
    expect(await updateOrganization(world)(admin, { id, name: 'Castings' })).toMatchObject({ ok: true });
    const member = { organizationId: id, user: { email: ben.email } };
    expect(await addMember(world)(admin, member)).toMatchObject(ok({ already: false }));
    const byId = { organizationId: id, user: { id: ben.id } };
    expect(await removeMember(world)(admin, byId)).toMatchObject(ok({ user: ben, already: false }));
    expect(await deleteOrganization(world)(admin, id)).toMatchObject({ ok: true });
    const made = (await events()).filter(({ event }) => event.actor.kind === 'user');
    expect(made.map(({ event }) => event.action).toSorted()).toEqual([
      'organization.created',
      'organization.deleted',
      'organization.member_added',
      'organization.member_removed',
      'organization.updated',
    ]);
    expect(made.map(({ event }) => event.accountId)).toEqual(made.map(() => accountId));
  });

  test('finds and changes nothing of another account', async () => {
    const admin = inPerson(ada);
    const before = await events();
    const { id } = foreign;
    const { accountId } = eve;
    for (const call of [
      findOrganizationLosses(world)(admin, id),
      updateOrganization(world)(admin, { id, name: 'Mine' }),
      deleteOrganization(world)(admin, id),
      addMember(world)(admin, { organizationId: id, user: { email: ben.email } }),
      removeMember(world)(admin, { organizationId: id, user: { id: eve.id } }),
    ])
      expect(await call).toEqual(NOT_FOUND);
    const nowhere = err({ code: 'account_not_found' });
    const input = { accountId, name: 'Mine', description: null };
    expect(await createOrganization(world)(admin, input)).toEqual(nowhere);
    expect(await listOrganizations(world)(admin, { accountId })).toEqual(nowhere);
    for (const named of [{ email: eve.email }, { id: eve.id }]) {
      const added = addMember(world)(admin, { organizationId: shop.id, user: named });
      expect(await added).toEqual(err({ code: 'user_not_found' }));
    }
    expect(await showOrganization(world)(admin, { id })).toEqual(NOT_FOUND);
    expect(await events()).toEqual(before);
  });

  test('lists the account’s organizations without naming the account', async () => {
    const listed = await listOrganizations(world)(inPerson(ada), {});
    expect(listed.ok && (await allPages(listed.value)).flat()).toEqual([shop]);
  });

  test('is told what a deletion loses', async () => {
    await givenMember(world, shop.id, ben.id);
    for (const caller of [inPerson(ada), OPERATOR]) {
      const losses = await findOrganizationLosses(world)(caller, shop.id);
      expect(losses).toEqual(ok({ organization: shop, members: 1, belongings: [] }));
    }
  });

  test('a member changes nothing, and sees the organizations of the member only', async () => {
    const own = await givenOrganization(world, ada.accountId);
    await givenMember(world, own.id, ben.id);
    const member = inPerson(ben);
    const refused = err({ code: 'not_allowed' });
    const input = { accountId: ben.accountId, name: 'Mine', description: null };
    for (const call of [
      createOrganization(world)(member, input),
      updateOrganization(world)(member, { id: own.id, name: 'Mine' }),
      deleteOrganization(world)(member, own.id),
      addMember(world)(member, { organizationId: own.id, user: { email: ada.email } }),
      removeMember(world)(member, { organizationId: own.id, user: { id: ben.id } }),
      findOrganizationLosses(world)(member, own.id),
      showOrganization(world)(member, { id: shop.id }),
    ])
      expect(await call).toEqual(refused);
    expect(await showOrganization(world)(member, { id: foreign.id })).toEqual(NOT_FOUND);
    const shown = await showOrganization(world)(member, { id: own.id });
    expect(shown).toMatchObject(ok({ organization: own, total: 1, members: [{ user: ben }] }));
    const listed = await listOwnOrganizations(world)(member);
    const one = { ...own, members: { count: 1, more: false } };
    expect(listed).toEqual(ok({ organizations: [one], next: undefined }));
    expect(await listReadableOrganizations(world)(member, { limit: 10 })).toEqual(ok([own]));
  });

  test('lists and members come in pages of 50', async () => {
    for (let number = 0; number < 50; number += 1) {
      await givenOrganization(world, ada.accountId);
      await givenMember(world, shop.id, (await givenUser(world, ada.accountId)).id);
    }
    await givenMember(world, shop.id, ben.id);
    const admin = inPerson(ada);
    const first = await listOwnOrganizations(world)(admin);
    const { organizations, next } = first.ok ? first.value : expect.fail();
    expect([organizations.length, next]).toEqual([50, organizations.at(-1)?.id]);
    expect(organizations[0]).toMatchObject({ id: shop.id, members: { count: 51, more: false } });
    const second = await listOwnOrganizations(world)(admin, { after: next });
    expect(second).toMatchObject(ok({ organizations: [{}], next: undefined }));
    const shown = await showOrganization(world)(admin, { id: shop.id });
    const page = shown.ok ? shown.value : expect.fail();
    expect([page.total, page.members.length, page.next]).toEqual([51, 50, page.members.at(-1)?.user.id]);
    const rest = await showOrganization(world)(admin, { id: shop.id, after: page.next });
    expect(rest).toMatchObject(ok({ members: [{}], next: undefined }));
  });
});
