import { beforeEach, describe, expect, test } from 'vitest';
import {
  anEvent,
  aRevocation,
  aTokenId,
  createFakeKeyEncryption,
  createWorldWithAdmins,
  givenUser,
  inPerson,
  START,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import type { Principal } from '../../access/index.ts';
import { err, ok } from '../../result.ts';
import { addMilliseconds, LAST_INSTANT } from '../../time/instant.ts';
import type { User } from '../../users/user.ts';
import { authenticateToken } from '../authentication/authenticate-token.ts';
import { type IssueTokenInput, issueToken } from './issue-token.ts';

describe('issueToken', () => {
  let world: World;
  let admin: User;

  beforeEach(async () => {
    ({ world, ada: admin } = await createWorldWithAdmins());
  });

  const issue = (parts: Partial<IssueTokenInput> = {}, caller: Principal = inPerson(admin)) =>
    issueToken(world)(caller, { name: 'ERP', format: 'paseto', scopes: ['*'], expiry: 'never', ...parts });
  const refused = (field: string) => ({ ok: false, error: { code: 'invalid_input', problems: [{ field }] } });

  test('an admin’s token is recorded with its creator, and in the audit log', async () => {
    const issued = await issue({ scopes: ['orgs:read'] });
    const record = { userId: admin.id, kind: 'api', name: 'ERP', scopes: ['orgs:read'], expiresAt: null };
    expect(issued).toMatchObject(ok({ record }));
    const [entry] = await world.audit.list({ limit: 1 });
    expect(entry?.event).toMatchObject({
      action: 'token.created',
      actor: { kind: 'user', id: admin.id },
      origin: 'test',
    });
    expect(JSON.stringify(entry)).not.toContain(issued.ok && issued.value.secret);
  });

  test('an expiry is a whole second in the future, given as a duration or as a moment', async () => {
    world.clock.advance(250);
    expect(await issue({ expiry: { in: 90_000 } })).toMatchObject({
      value: { record: { expiresAt: addMilliseconds(START, 90_000) } },
    });
    const at = addMilliseconds(START, 7_500);
    expect(await issue({ name: 'b', expiry: { at } })).toMatchObject({
      value: { record: { expiresAt: addMilliseconds(START, 7_000) } },
    });
    expect(await issue({ name: 'c', expiry: { at: START } })).toMatchObject(refused('expires_at'));
    expect(await issue({ name: 'd', expiry: { at: addMilliseconds(LAST_INSTANT, 1) } })).toMatchObject(
      refused('expires_at'),
    );
  });

  test.each(['', ' ERP', 'a\u0000b', 'a\nb', '\ud800', 'x'.repeat(201)])(
    'the name %j is refused',
    async (name) => {
      expect(await issue({ name })).toMatchObject(refused('name'));
    },
  );

  test('a member, a token, and an admin who was disabled meanwhile cannot issue tokens', async () => {
    expect(await issue({}, { ...inPerson(admin), role: 'member' })).toEqual(err({ code: 'not_allowed' }));

    const token = await authenticateToken(world)(unwrap(await issue()).secret, 'x');
    if (token.kind !== 'user') return expect.fail();
    expect(await issue({ name: 'longer' }, token)).toEqual(err({ code: 'not_allowed' }));

    await givenUser(world, admin.accountId);
    await world.users.disable(admin.id, aRevocation(), anEvent());
    expect(await issue({ name: 'late' })).toEqual(err({ code: 'creator_not_fit' }));
  });

  test('a token that was asked for with an id is issued once, and its secret returned once', async () => {
    const id = aTokenId();
    expect(await issue({ id })).toMatchObject(ok({ record: { id } }));
    for (const name of ['ERP', 'Wiki']) {
      expect(await issue({ id, name })).toEqual(err({ code: 'token_id_taken' }));
    }
    expect(await world.audit.list({ actions: ['token.created'], limit: 10 })).toHaveLength(1);
  });

  test('with a wrong master key no token is signed', async () => {
    world = { ...world, encryption: createFakeKeyEncryption('another') };
    expect(await issue({ format: 'jwt' })).toEqual(err({ code: 'master_key_rejected' }));
  });
});
