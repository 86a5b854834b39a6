import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createWorld,
  givenAccount,
  givenOrganization,
  givenPerson,
  inPerson,
  OPERATOR,
  type World,
} from '../../testing/index.ts';
import type { Account } from '../accounts/account.ts';
import { err, ok } from '../result.ts';
import { refused } from '../tokens/authentication/token-caller.ts';
import type { User } from '../users/user.ts';
import { addMember, createOrganization, listOrganizations } from './manage-organizations.ts';
import type { Organization, OrganizationId } from './organization.ts';
import { getOrganization } from './organization-access.ts';

describe('organizations', () => {
  let world: World;
  let account: Account;
  let organization: Organization;
  let member: User;

  beforeEach(async () => {
    world = await createWorld();
    account = await givenAccount(world);
    organization = await givenOrganization(world, account.id);
    member = await givenPerson(world, { accountId: account.id, email: 'ada@acme.example', role: 'member' });
  });

  const get = (id: OrganizationId | undefined) => getOrganization(world)(inPerson(member), id);

  test('a member sees an organization once it is a member of it', async () => {
    expect(await get(organization.id)).toEqual(err({ code: 'not_allowed' }));
    const added = await addMember(world)(OPERATOR, {
      organizationId: organization.id,
      email: 'ADA@acme.example',
    });
    expect(added).toMatchObject({ ok: true, value: { already: false, user: { id: member.id } } });
    expect(await get(organization.id)).toEqual(ok(organization));
    const again = await addMember(world)(OPERATOR, {
      organizationId: organization.id,
      email: 'ada@acme.example',
    });
    expect(again).toMatchObject({ ok: true, value: { already: true } });
  });

  test('another account’s organization, an unknown one and an invalid id get the same error', async () => {
    const foreign = await givenOrganization(world, (await givenAccount(world)).id);
    const notFound = err({ code: 'not_found' });
    expect(await get(foreign.id)).toEqual(notFound);
    expect(await get(999 as OrganizationId)).toEqual(notFound);
    expect(await get(undefined)).toEqual(notFound);
  });

  test('nothing is read for a caller that is refused or lacks the scope', async () => {
    const read = vi.spyOn(world.organizations, 'findForUser');
    const caller = { ...inPerson(member), scopes: ['me:read'] as const };
    expect(await getOrganization(world)(refused('revoked'), organization.id)).toEqual(
      err({ code: 'token_not_accepted' }),
    );
    expect(await getOrganization(world)(caller, organization.id)).toEqual(
      err({ code: 'insufficient_scope', scope: 'orgs:read' }),
    );
    expect(read).not.toHaveBeenCalled();
  });

  test('creating one names the invalid fields', async () => {
    const create = (parts: { name?: string; description?: string | null; accountId?: Account['id'] }) =>
      createOrganization(world)(OPERATOR, {
        accountId: account.id,
        name: 'Foundry',
        description: null,
        ...parts,
      });
    expect(await create({})).toMatchObject({ ok: true, value: { name: 'Foundry', description: null } });
    expect(await create({ name: '' })).toMatchObject({ error: { problems: [{ field: 'name' }] } });
    expect(await create({ description: 'x\u0000' })).toMatchObject({
      error: { problems: [{ field: 'description' }] },
    });
    expect(await create({ accountId: 999 as Account['id'] })).toEqual(err({ code: 'account_not_found' }));
    expect(await listOrganizations(world)(OPERATOR, { accountId: 999 as Account['id'] })).toEqual(
      err({ code: 'account_not_found' }),
    );
  });

  test('a member and its organization have to be there', async () => {
    const add = (id: OrganizationId) =>
      addMember(world)(OPERATOR, { organizationId: id, email: 'nobody@x.example' });
    expect(await add(organization.id)).toEqual(err({ code: 'user_not_found' }));
    expect(await add(999 as OrganizationId)).toEqual(err({ code: 'organization_not_found' }));
  });
});
