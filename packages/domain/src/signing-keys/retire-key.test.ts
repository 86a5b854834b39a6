import { beforeEach, describe, expect, test } from 'vitest';
import type { World } from '../../testing/index.ts';
import { anEvent, aToken, createWorld, givenAdmin, OPERATOR, START, unwrap } from '../../testing/index.ts';
import { err } from '../result.ts';
import { addMilliseconds } from '../time/instant.ts';
import type { Token } from '../tokens/token.ts';
import type { User } from '../users/user.ts';
import { activateKey, createKey, listKeys, retireKey, showKey } from './manage-keys.ts';
import type { KeyId, SigningKey } from './signing-key.ts';

describe('a key that another one has replaced', () => {
  const NOW = addMilliseconds(START, 60_000);
  let world: World;
  let user: User;
  let old: SigningKey;
  let active: SigningKey;
  beforeEach(async () => {
    world = await createWorld();
    user = await givenAdmin(world);
    old = (await world.signingKeys.findActive('paseto')) ?? expect.fail();
    active = await created();
    await activateKey({ ...world, maxStalenessMs: 0 })(OPERATOR, active.id);
    world.clock.advance(60_000);
  });

  async function created(): Promise<SigningKey> {
    return unwrap(await createKey(world)(OPERATOR, 'paseto'));
  }

  async function sign(key: SigningKey, parts: Partial<Token> = {}): Promise<Token> {
    const token = aToken(user, key, parts);
    unwrap(await world.tokens.insert(token, anEvent()));
    return token;
  }

  const retire = (id: KeyId, revokeTokens = false) => retireKey(world)(OPERATOR, { id, revokeTokens });

  async function reportOf({ id }: SigningKey) {
    const listed = await listKeys(world)(OPERATOR);
    return (listed.ok && listed.value.find(({ key }) => key.id === id)) || expect.fail();
  }

  test('can retire at once without live tokens', async () => {
    expect(await reportOf(old)).toMatchObject({ live: { count: 0 }, retirableAt: NOW, at: NOW });
    expect(await retire(old.id)).toMatchObject({ ok: true, value: { revokedTokens: 0 } });
    expect(await reportOf(old)).toMatchObject({ key: { state: 'retired' }, retirableAt: null });
  });

  test('can retire when the last of its tokens has expired', async () => {
    await sign(old, { expiresAt: addMilliseconds(NOW, 5000) });
    await sign(old, { expiresAt: addMilliseconds(NOW, 9000) });
    const retirableAt = addMilliseconds(NOW, 9000);
    expect(await reportOf(old)).toMatchObject({ live: { count: 2 }, retirableAt });
    expect(await retire(old.id)).toEqual(err({ code: 'key_in_use', liveTokens: 2, retirableAt }));
    world.clock.advance(9000);
    expect(await retire(old.id)).toMatchObject({ ok: true });
  });

  test('revokes its tokens on request, by the same actor at the same time', async () => {
    const token = await sign(old);
    const stays = await sign(active);
    expect(await retire(old.id, true)).toMatchObject({ ok: true, value: { revokedTokens: 1 } });
    expect((await world.tokens.findRecord(token.id))?.revocation).toEqual({
      at: NOW,
      by: { kind: 'operator', name: 'root' },
      reason: 'signing key retired',
    });
    expect((await world.tokens.findRecord(stays.id))?.revocation).toBeNull();
    const [last, before] = await world.audit.list({ limit: 2 });
    expect([before?.event.action, last?.event.action]).toEqual(['token.revoked', 'key.retired']);
  });

  test('shows the last use of the tokens that it would reject', async () => {
    const show = async () => unwrap(await showKey(world)(OPERATOR, old.id));
    expect((await show()).lastUsedAt).toBeNull();
    const [early, late, ended] = [await sign(old), await sign(old), await sign(old, { expiresAt: NOW })];
    expect((await show()).lastUsedAt).toBeNull();
    world.usage.used(early.id, addMilliseconds(START, 1000));
    world.usage.used(late.id, addMilliseconds(START, 3000));
    world.usage.used(ended.id, addMilliseconds(START, 5000));
    await world.usage.flush();
    expect(await show()).toMatchObject({ live: { count: 2 }, lastUsedAt: addMilliseconds(START, 3000) });
    expect(await showKey(world)(OPERATOR, 'none' as KeyId)).toEqual(err({ code: 'key_not_found' }));
  });
});
