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
import { addMilliseconds, type Instant, LAST_INSTANT } from '../../time/instant.ts';
import type { RuleChanges } from '../../token-policy/change-token-rules.ts';
import { setTokenPolicy } from '../../token-policy/set-token-policy.ts';
import type { User } from '../../users/user.ts';
import { authenticateToken } from '../authentication/authenticate-token.ts';
import type { NetworkMode } from '../networks/token-networks.ts';
import type { Expiry } from './expiry.ts';
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

  test('without an expiry, the default of the account counts; what the rules refuse is not stored', async () => {
    const DAY = 86_400_000;
    const { accountId } = admin;
    const setRules = (person: RuleChanges) =>
      setTokenPolicy(world)(inPerson(admin), { accountId, changes: { person } });
    expect(await issue({ name: 'a', expiry: undefined })).toMatchObject({
      value: { record: { expiresAt: addMilliseconds(START, 90 * DAY) } },
    });
    await setRules({ defaultLifetimeMs: null });
    expect(await issue({ name: 'b', expiry: undefined })).toMatchObject({
      value: { record: { expiresAt: null } },
    });
    await setRules({ maxLifetimeMs: 30 * DAY, scopes: ['orgs:read'] });
    const tooLong = { code: 'lifetime_not_allowed', holder: 'person', maxLifetimeMs: 30 * DAY };
    const scopes = ['orgs:read'];
    expect(await issue({ name: 'c', scopes })).toEqual(err(tooLong));
    expect(await issue({ name: 'c', scopes, expiry: { in: 31 * DAY } })).toEqual(err(tooLong));
    expect(await issue({ name: 'c', scopes: ['me:read'], expiry: { in: DAY } })).toMatchObject(
      err({ code: 'scopes_not_allowed', refused: ['me:read'], allowed: scopes }),
    );
    expect(await issue({ name: 'c', scopes, expiry: undefined })).toMatchObject({
      value: { record: { expiresAt: addMilliseconds(START, 30 * DAY) } },
    });
    await setRules({ mustHaveNetworks: true });
    const limited = (mode: NetworkMode) =>
      issue({ name: 'd', scopes, expiry: undefined, networks: { mode, list: ['203.0.113.0/24'] } });
    const refused = err({ code: 'networks_required', holder: 'person' });
    expect(await issue({ name: 'd', scopes, expiry: undefined })).toEqual(refused);
    expect(await limited('report-only')).toEqual(refused);
    expect(await limited('enforced')).toMatchObject({ ok: true });
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
    expect(await issue({ name: 'd', expiry: { at: (LAST_INSTANT + 1) as Instant } })).toMatchObject(
      refused('expires_at'),
    );
  });

  test('an expiry that is refused is named as it was given, with the limit that it exceeds', async () => {
    const problem = async (expiry: Expiry) => {
      const issued = await issue({ expiry });
      return !issued.ok && issued.error.code === 'invalid_input' && issued.error.problems[0];
    };
    const [past, late] = [addMilliseconds(START, 999), (LAST_INSTANT + 1) as Instant];
    expect(await problem({ at: past })).toEqual({ field: 'expires_at', message: 'must be in the future' });
    expect(await problem({ at: late })).toEqual({
      field: 'expires_at',
      message: 'must end before the year 10000',
    });
    expect(await problem({ in: 999 })).toEqual({
      field: 'expires_in',
      message: 'must be at least one second',
    });
    expect(await problem({ in: Number.MAX_SAFE_INTEGER })).toEqual({
      field: 'expires_in',
      message: 'must end before the year 10000',
    });
    expect(await problem({ in: LAST_INSTANT - START })).toBe(false);
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
