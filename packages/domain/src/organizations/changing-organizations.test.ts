import { beforeEach, describe, expect, test } from 'vitest';
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
import type { User } from '../users/user.ts';
import {
  deleteOrganization,
  findOrganization,
  removeMember,
  type UpdateOrganizationInput,
  updateOrganization,
} from './manage-organizations.ts';
import type { Organization, OrganizationId } from './organization.ts';
import { getOrganization } from './organization-access.ts';

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
  const get = () => getOrganization(world)(inPerson(bo), shop.id);

  test('have to be there', async () => {
    const id = 999 as OrganizationId;
    const calls = [
      findOrganization(world)(OPERATOR, id),
      updateOrganization(world)(OPERATOR, { id, name: 'x' }),
      deleteOrganization(world)(OPERATOR, id),
      removeMember(world)(OPERATOR, { organizationId: id, email: 'bo@acme.example' }),
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
    expect(await get()).toMatchObject(ok({ name: 'Foundry', description: null }));
  });

  test('are not changed to invalid texts', async () => {
    for (const [field, text] of [
      ['name', ''],
      ['description', 'x\u0000'],
    ] as const) {
      expect(await update({ [field]: text })).toMatchObject({ error: { problems: [{ field }] } });
    }
    expect(await get()).toEqual(ok(shop));
  });

  test('that are deleted are gone for their members; the log keeps the name', async () => {
    expect(await findOrganization(world)(OPERATOR, shop.id)).toEqual(ok({ organization: shop, members: 1 }));
    expect(await deleteOrganization(world)(OPERATOR, shop.id)).toEqual(
      ok({ organization: shop, members: 1 }),
    );
    expect(await newestEvent()).toMatchObject({
      action: 'organization.deleted',
      subject: { type: 'organization', id: String(shop.id) },
      details: { name: shop.name, members: 1 },
    });
    expect(await get()).toEqual(err({ code: 'not_found' }));
  });

  test('are not visible any more to removed members', async () => {
    const remove = (email: string) => removeMember(world)(OPERATOR, { organizationId: shop.id, email });
    expect(await remove('nobody@acme.example')).toEqual(err({ code: 'user_not_found' }));
    expect(await remove('BO@acme.example')).toEqual(ok({ organization: shop, user: bo, already: false }));
    expect(await newestEvent()).toMatchObject({
      action: 'organization.member_removed',
      details: { user_id: bo.id, email: 'bo@acme.example' },
    });
    expect(await get()).toEqual(err({ code: 'not_allowed' }));
    expect(await remove('bo@acme.example')).toMatchObject(ok({ already: true }));
  });
});
