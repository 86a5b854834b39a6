import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createWorld,
  givenAccount,
  givenMember,
  givenOrganization,
  givenPerson,
  inPerson,
  OPERATOR,
  type World,
} from '../../testing/index.ts';
import { err, ok } from '../result.ts';
import { refused } from '../tokens/authentication/authenticate-token.ts';
import type { User } from '../users/user.ts';
import { addMember, removeMember } from './manage-members.ts';
import {
  createOrganization,
  deleteOrganization,
  listOrganizations,
  type UpdateOrganizationInput,
  updateOrganization,
} from './manage-organizations.ts';
import type { Organization, OrganizationId } from './organization.ts';
import { getOrganization } from './organization-access.ts';

const UNKNOWN = 999 as OrganizationId;

describe('organizations', () => {
  let world: World;
  let shop: Organization;
  let bo: User;

  beforeEach(async () => {
    world = await createWorld();
    const { id: accountId } = await givenAccount(world);
    shop = await givenOrganization(world, accountId);
    bo = await givenPerson(world, { accountId, email: 'bo@acme.example', role: 'member' });
    await givenMember(world, shop.id, bo.id);
  });

  const newestEvent = async () => (await world.audit.list({ limit: 1 }))[0]?.event;
  const update = (changes: Omit<UpdateOrganizationInput, 'id'>) =>
    updateOrganization(world)(OPERATOR, { id: shop.id, ...changes });
  const get = (id: OrganizationId | undefined) => getOrganization(world)(inPerson(bo), id);

  test('have to be there', async () => {
    const id = UNKNOWN;
    const calls = [
      updateOrganization(world)(OPERATOR, { id, name: 'x' }),
      deleteOrganization(world)(OPERATOR, id),
      removeMember(world)(OPERATOR, { organizationId: id, user: { email: 'bo@acme.example' } }),
    ];
    for (const call of calls) expect(await call).toEqual(err({ code: 'organization_not_found' }));
  });

  test('get a new name or description, and an empty text removes the description', async () => {
    expect(await update({ description: 'Hall 3' })).toMatchObject(
      ok({ organization: { name: shop.name, description: 'Hall 3' }, already: false }),
    );
    expect(await newestEvent()).toMatchObject({
      action: 'organization.updated',
      subject: { type: 'organization', id: String(shop.id) },
      accountId: shop.accountId,
      details: { name: shop.name, description: 'Hall 3' },
    });
    expect(await update({ name: 'Foundry' })).toMatchObject(ok({ organization: { name: 'Foundry' } }));
    expect((await newestEvent())?.details).toEqual({ name: 'Foundry', former_name: shop.name });
    expect(await update({ description: '' })).toEqual(
      ok({ organization: { ...shop, name: 'Foundry' }, already: false }),
    );
    expect((await newestEvent())?.details).toEqual({ name: 'Foundry', description: null });
    expect(await update({ name: 'Foundry', description: '' })).toMatchObject(ok({ already: true }));
    expect(await get(shop.id)).toMatchObject(ok({ name: 'Foundry', description: null }));
  });

  test('are not changed to invalid texts', async () => {
    for (const [field, text] of [
      ['name', ''],
      ['description', 'x\u0000'],
    ] as const) {
      expect(await update({ [field]: text })).toMatchObject({ error: { problems: [{ field }] } });
    }
    expect(await get(shop.id)).toEqual(ok(shop));
  });

  test('that are deleted are gone for their members; the log keeps the name', async () => {
    expect(await deleteOrganization(world)(OPERATOR, shop.id)).toEqual(
      ok({ organization: shop, members: 1 }),
    );
    expect(await newestEvent()).toMatchObject({
      action: 'organization.deleted',
      subject: { type: 'organization', id: String(shop.id) },
      details: { name: shop.name, members: 1 },
    });
    expect(await get(shop.id)).toEqual(err({ code: 'not_found' }));
  });

  test('are not visible any more to removed members', async () => {
    const remove = (email: string) =>
      removeMember(world)(OPERATOR, { organizationId: shop.id, user: { email } });
    expect(await remove('nobody@acme.example')).toEqual(err({ code: 'user_not_found' }));
    expect(await remove('BO@acme.example')).toEqual(ok({ organization: shop, user: bo, already: false }));
    expect(await newestEvent()).toMatchObject({
      action: 'organization.member_removed',
      details: { name: shop.name, user_id: bo.id, email: 'bo@acme.example' },
    });
    expect(await get(shop.id)).toEqual(err({ code: 'not_allowed' }));
    expect(await remove('bo@acme.example')).toMatchObject(ok({ already: true }));
  });

  test('a member sees an organization once it is a member of it, and no other', async () => {
    const other = await givenOrganization(world, shop.accountId);
    expect(await get(other.id)).toEqual(err({ code: 'not_allowed' }));
    const add = (organizationId: OrganizationId, email = 'BO@acme.example') =>
      addMember(world)(OPERATOR, { organizationId, user: { email } });
    expect(await add(other.id)).toEqual(ok({ organization: other, user: bo, already: false }));
    expect(await get(other.id)).toEqual(ok(other));
    expect(await add(other.id)).toMatchObject(ok({ already: true }));
    expect(await add(other.id, 'nobody@acme.example')).toEqual(err({ code: 'user_not_found' }));
    expect(await add(UNKNOWN)).toEqual(err({ code: 'organization_not_found' }));
  });

  test('another account’s organization, an unknown one and an invalid id get the same error', async () => {
    const foreign = await givenOrganization(world, (await givenAccount(world)).id);
    for (const id of [foreign.id, UNKNOWN, undefined])
      expect(await get(id)).toEqual(err({ code: 'not_found' }));
  });

  test('nothing is read for a caller that is refused or lacks the scope', async () => {
    const read = vi.spyOn(world.organizations, 'findForUser');
    const caller = { ...inPerson(bo), scopes: ['me:read'] as const };
    const unauthenticated = await getOrganization(world)(refused('revoked'), shop.id);
    expect(unauthenticated).toEqual(err({ code: 'token_not_accepted' }));
    const unscoped = await getOrganization(world)(caller, shop.id);
    expect(unscoped).toEqual(err({ code: 'insufficient_scope', scope: 'orgs:read' }));
    expect(read).not.toHaveBeenCalled();
  });

  test('creating one names the invalid fields', async () => {
    const { accountId } = shop;
    const create = (parts: { name?: string; description?: string; accountId?: typeof accountId }) =>
      createOrganization(world)(OPERATOR, { accountId, name: 'Foundry', description: null, ...parts });
    const invalid = (field: string) => ({ error: { problems: [{ field }] } });
    expect(await create({})).toMatchObject(ok({ name: 'Foundry', description: null }));
    expect(await create({ name: '' })).toMatchObject(invalid('name'));
    expect(await create({ description: 'x\u0000' })).toMatchObject(invalid('description'));
    const nowhere = { accountId: 999 as typeof accountId };
    expect(await create(nowhere)).toEqual(err({ code: 'account_not_found' }));
    expect(await listOrganizations(world)(OPERATOR, nowhere)).toEqual(err({ code: 'account_not_found' }));
  });
});
