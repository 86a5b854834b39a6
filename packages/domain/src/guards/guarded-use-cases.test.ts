import { beforeEach, describe, expect, test } from 'vitest';
import {
  createWorldWithAdmins,
  givenOrganization,
  givenToken,
  inPerson,
  OPERATOR,
  START,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { inviteUser } from '../links/manage-invitations.ts';
import { createOrganization, deleteOrganization } from '../organizations/manage-organizations.ts';
import { err } from '../result.ts';
import { revokeToken } from '../tokens/administration/revoke-token.ts';
import { issueToken } from '../tokens/issuing/issue-token.ts';
import { rotateToken } from '../tokens/rotation/rotate-token.ts';
import { actAs } from '../users/act-as.ts';
import type { User } from '../users/user.ts';
import type { ForbiddenByExtension, GuardedAction, GuardFacts } from './guards.ts';

const FORBIDDEN: ForbiddenByExtension = {
  code: 'forbidden_by_extension',
  extension: 'shifts',
  refusal: 'no',
  title: 'No.',
};
const TOKEN = { name: 'ERP', format: 'paseto', scopes: ['orgs:read'], expiry: 'never' } as const;

describe('what a guard forbids', () => {
  let world: World;
  let ada: User;
  let asked: [GuardedAction, unknown, GuardFacts][];
  const events = async () => (await world.audit.list({ limit: 100 })).length;

  beforeEach(async () => {
    ({ world, ada } = await createWorldWithAdmins());
    asked = [];
  });

  /** The world with guards that forbid everything. */
  const guarded = () => ({
    ...world,
    guards: {
      check: async (action: GuardedAction, request: unknown, facts: GuardFacts) => {
        asked.push([action, request, facts]);
        return err(FORBIDDEN);
      },
    },
  });
  const facts = () => ({ accountId: ada.accountId, by: { user: ada.id, operator: false }, at: START });
  const owner = () => ({ id: ada.id, kind: 'person' });

  test('is not done: a token', async () => {
    const before = await events();
    expect(await issueToken(guarded())(inPerson(ada), TOKEN)).toEqual(err(FORBIDDEN));
    expect(await events()).toBe(before);
    const request = { name: 'ERP', scopes: ['orgs:read'], expiresAt: null, networks: null, owner: owner() };
    expect(asked).toEqual([['token.create', { ...request, replaces: null }, facts()]]);
  });

  test('is not done: a rotation, which makes a token', async () => {
    const { record } = unwrap(await issueToken(world)(inPerson(ada), TOKEN));
    const before = await events();
    const rotation = { id: record.id, graceMs: 0 };
    expect(await rotateToken(guarded())(inPerson(ada), rotation)).toEqual(err(FORBIDDEN));
    expect(await events()).toBe(before);
    expect(asked).toMatchObject([
      ['token.create', { name: 'ERP', replaces: record.id, owner: owner() }, facts()],
    ]);
  });

  test('is not done: an invitation', async () => {
    const before = await events();
    const input = { email: 'Bo@acme.example', name: null, role: 'member' } as const;
    expect(await inviteUser(guarded())(inPerson(ada), input)).toEqual(err(FORBIDDEN));
    expect(await events()).toBe(before);
    expect(asked).toEqual([['invitation.create', { email: 'Bo@acme.example', role: 'member' }, facts()]]);
  });

  test('is not done: an organization that is created or deleted', async () => {
    const { id, name } = await givenOrganization(world, ada.accountId);
    const before = await events();
    const input = { accountId: ada.accountId, name: 'Foundry', description: null };
    expect(await createOrganization(guarded())(inPerson(ada), input)).toEqual(err(FORBIDDEN));
    expect(await deleteOrganization(guarded())(OPERATOR, id)).toEqual(err(FORBIDDEN));
    expect(await events()).toBe(before);
    expect(asked).toEqual([
      ['organization.create', { name: 'Foundry', description: null }, facts()],
      ['organization.delete', { id, name }, { ...facts(), by: { user: null, operator: true } }],
    ]);
  });

  test('is told that an operator acts for a user', async () => {
    const asAda = unwrap(await actAs(world)(ada.email, OPERATOR));
    await issueToken(guarded())(asAda, TOKEN);
    expect(asked).toMatchObject([['token.create', {}, { by: { user: ada.id, operator: true } }]]);
  });

  test('is asked about only what Gatehouse would allow', async () => {
    expect(await issueToken(guarded())(inPerson(ada), { ...TOKEN, scopes: ['none:read'] })).toMatchObject({
      error: { code: 'invalid_input' },
    });
    expect(asked).toEqual([]);
  });

  test('is never the end of a right', async () => {
    const { id } = await givenToken(world, ada);
    expect(await revokeToken(guarded())(inPerson(ada), { id, reason: null })).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
  });
});
