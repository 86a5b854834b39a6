import { beforeEach, describe, expect, test } from 'vitest';
import {
  aTokenId,
  createWorld,
  givenAccount,
  givenPerson,
  givenToken,
  inPerson,
  type World,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import type { PasswordHash } from '../../users/password-hasher.ts';
import type { User } from '../../users/user.ts';
import type { Token } from '../token.ts';
import { revokeToken } from './revoke-token.ts';
import { showToken } from './show-token.ts';

describe('an account’s tokens', () => {
  let world: World;
  let admin: User;
  let outsider: User;
  let token: Token;

  beforeEach(async () => {
    world = await createWorld();
    admin = await givenPerson(world, {
      accountId: (await givenAccount(world)).id,
      email: 'ada@acme.example',
    });
    outsider = await givenPerson(world, {
      accountId: (await givenAccount(world)).id,
      email: 'eve@evil.example',
    });
    token = await givenToken(world, admin);
  });

  const revoke = (user: User, id = token.id, reason: string | null = null) =>
    revokeToken(world)(inPerson(user), { id, reason });

  test('an admin revokes a token with a reason, and learns if it was revoked before', async () => {
    expect(await revoke(admin, token.id, 'leaked')).toMatchObject({ ok: true, value: { already: false } });
    expect(await revoke(admin)).toMatchObject({
      ok: true,
      value: {
        already: true,
        token: { revocation: { reason: 'leaked', by: { kind: 'user', id: admin.id } } },
      },
    });
    const [entry] = await world.audit.list({ limit: 1 });
    expect(entry?.event).toMatchObject({ action: 'token.revoked', details: { reason: 'leaked' } });
  });

  test('an admin also revokes sign-in tokens of the account', async () => {
    const credentials = await world.users.findCredentials('ada@acme.example' as never);
    const signIn: Token = { ...token, id: aTokenId(), kind: 'sign-in' };
    await world.tokens.insert(
      signIn,
      { verifiedHash: credentials?.passwordHash as PasswordHash },
      {} as never,
    );
    expect((await revoke(admin, signIn.id)).ok).toBe(true);
  });

  test('another account’s token is not found', async () => {
    const notFound = err({ code: 'token_not_found' });
    expect(await revoke(outsider)).toEqual(notFound);
    expect(await revoke(admin, aTokenId())).toEqual(notFound);
    expect(await showToken(world)(inPerson(outsider), token.id)).toEqual(notFound);
    expect((await world.tokens.findRecord(token.id))?.revocation).toBeNull();
  });

  test('a member cannot revoke tokens', async () => {
    const member = await givenPerson(world, {
      accountId: admin.accountId,
      email: 'm@acme.example',
      role: 'member',
    });
    expect(await revoke(member)).toEqual(err({ code: 'not_allowed' }));
  });

  test.each(['x'.repeat(501), 'a\u0000', '\udc00'])('the reason %j is refused', async (reason) => {
    expect(await revoke(admin, token.id, reason)).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });
  });
});
