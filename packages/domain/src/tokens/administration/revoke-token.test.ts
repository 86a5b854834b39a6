import { beforeEach, describe, expect, test } from 'vitest';
import type { World } from '../../../testing/index.ts';
import { aTokenId, createWorldWithAdmins, givenToken, givenUser, inPerson } from '../../../testing/index.ts';
import { err, ok } from '../../result.ts';
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
    ({ world, ada: admin, eve: outsider } = await createWorldWithAdmins());
    token = await givenToken(world, admin);
  });

  const revoke = (user: User, id = token.id, reason: string | null = null) =>
    revokeToken(world)(inPerson(user), { id, reason });

  test('an admin revokes a token with a reason, and learns if it was revoked before', async () => {
    expect(await revoke(admin, token.id, 'leaked')).toMatchObject({ ok: true, value: { already: false } });
    const revocation = { reason: 'leaked', by: { kind: 'user', id: admin.id } };
    expect(await revoke(admin)).toMatchObject(ok({ already: true, token: { revocation } }));
    const [entry] = await world.audit.list({ limit: 1 });
    expect(entry?.event).toMatchObject({ action: 'token.revoked', details: { reason: 'leaked' } });
  });

  test('an admin also revokes sign-in tokens of the account', async () => {
    const owner = await givenUser(world, admin.accountId);
    const signIn = await givenToken(world, owner, { kind: 'sign-in' });
    expect((await revoke(admin, signIn.id)).ok).toBe(true);
  });

  test('another account’s token is not found', async () => {
    const notFound = err({ code: 'token_not_found' });
    expect(await revoke(outsider)).toEqual(notFound);
    expect(await revoke(admin, aTokenId())).toEqual(notFound);
    expect(await showToken(world)(inPerson(outsider), token.id)).toEqual(notFound);
    expect((await world.tokens.findRecord(token.id))?.revocation).toBeNull();
  });

  test.each(['x'.repeat(501), 'a\u0000', '\udc00'])('the reason %j is refused', async (reason) => {
    expect(await revoke(admin, token.id, reason)).toMatchObject({ error: { code: 'invalid_input' } });
  });
});
