import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createWorld,
  givenAccount,
  givenPerson,
  OPERATOR,
  PASSWORD,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { err } from '../result.ts';
import { activateKey, createKey, retireKey } from '../signing-keys/manage-keys.ts';
import type { KeyId } from '../signing-keys/signing-key.ts';
import type { TokenRepository } from '../tokens/token-repository.ts';
import { type SignInPorts, signIn } from './sign-in.ts';

const NO_ACTIVE_KEY = err({ code: 'no_active_key', format: 'paseto' });

describe('the key of a sign-in', () => {
  let world: World;
  let attempt: () => Promise<unknown>;
  let keysUsed: KeyId[];

  beforeEach(async () => {
    world = await createWorld();
    const { id: accountId } = await givenAccount(world);
    await givenPerson(world, { accountId, email: 'ada@acme.example' });
    keysUsed = [];
    attempt = prepare({});
  });

  /** A process, which signs in one user. */
  function prepare(ports: Partial<SignInPorts>) {
    const insertSignIn: TokenRepository['insertSignIn'] = async (token, ...rest) => {
      const inserted = await world.tokens.insertSignIn(token, ...rest);
      if (inserted.ok) keysUsed.push(token.keyId);
      return inserted;
    };
    const tokens = { ...world.tokens, insertSignIn };
    const sign = signIn({ ...world, format: 'paseto', lifetimeMs: 86_400_000, tokens, ...ports });
    return () => sign({ email: 'ada@acme.example', password: PASSWORD, address: '192.0.2.1' });
  }

  const activeKey = async () => (await world.signingKeys.findActive('paseto'))?.id;

  async function rotate(): Promise<KeyId> {
    const { id } = unwrap(await createKey(world)(OPERATOR, 'paseto'));
    unwrap(await activateKey({ ...world, maxStalenessMs: 0 })(OPERATOR, id));
    return id;
  }

  test('is read once', async () => {
    const findActive = vi.spyOn(world.signingKeys, 'findActive');
    for (let count = 1; count <= 3; count += 1) await attempt();
    expect(findActive).toHaveBeenCalledOnce();
    expect(keysUsed).toEqual(Array.from({ length: 3 }, () => keysUsed[0]));
  });

  test('is the active one, from the moment it is activated', async () => {
    const first = await activeKey();
    await attempt();
    const second = await rotate();
    await attempt();
    unwrap(await retireKey(world)(OPERATOR, { id: first ?? expect.fail(), revokeTokens: true }));
    await attempt();
    const third = await rotate();
    await Promise.all([attempt(), attempt()]);
    expect(keysUsed).toEqual([first, second, second, third, third]);
    expect(third).toBe(await activeKey());
  });

  test('may be one that was active when it was read for this sign-in', async () => {
    await attempt();
    const second = await rotate();
    const findActive = vi.spyOn(world.signingKeys, 'findActive');
    findActive.mockImplementationOnce(async (format) => {
      const active = await world.signingKeys.findById(second);
      expect(active?.format).toBe(format);
      await rotate();
      return active;
    });
    expect(await attempt()).toMatchObject({ ok: true });
    expect(keysUsed.at(-1)).toBe(second);
    await attempt();
    expect(keysUsed.at(-1)).toBe(await activeKey());
  });

  test('is missed when none is active, and found when there is one again', async () => {
    const findActive = vi.spyOn(world.signingKeys, 'findActive').mockResolvedValue(undefined);
    expect(await attempt()).toEqual(NO_ACTIVE_KEY);
    findActive.mockRestore();
    expect(await attempt()).toMatchObject({ ok: true });
  });

  test('is missed when it is refused a second time', async () => {
    const insertSignIn = vi.fn(async () => err({ code: 'key_not_usable' as const }));
    expect(await prepare({ tokens: { ...world.tokens, insertSignIn } })()).toEqual(NO_ACTIVE_KEY);
    expect(insertSignIn).toHaveBeenCalledTimes(2);
  });
});
