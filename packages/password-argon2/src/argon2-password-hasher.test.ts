import { passwordHasherContract } from '@gatehouse/domain/testing/contracts';
import type { PasswordHash, PasswordHasher } from '@gatehouse/domain/users';
import * as argon2 from '@node-rs/argon2';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Argon2, Argon2Options } from './index.ts';
import { createArgon2PasswordHasher, createHashingThreads } from './index.ts';

vi.mock('@node-rs/argon2', { spy: true });

const WEAKER = { memoryCost: 19_455, timeCost: 2, parallelism: 1 };
const PLACES: readonly [string, () => Pick<Argon2Options, 'argon2'>][] = [
  ['argon2id on the threads of libuv', () => ({})],
  ['argon2id in threads of its own', () => ({ argon2: createHashingThreads() })],
];

describe.each(PLACES)('%s', (name, place) => {
  passwordHasherContract(name, {
    createHasher: (limits) => createArgon2PasswordHasher({ ...limits, ...place() }),
    createWeakerHasher: (limits) => createArgon2PasswordHasher({ ...limits, ...place(), parameters: WEAKER }),
  });

  it.each<[string, (hasher: PasswordHasher) => Promise<unknown>]>([
    ['hashing', (hasher) => hasher.hash('correct horse')],
    ['verifying', (hasher) => hasher.verify('correct horse', undefined)],
  ])('leaves the event loop free while %s', async (_, work) => {
    const hasher = createArgon2PasswordHasher({ concurrency: 1, queueLimit: 0, ...place() });
    await work(hasher);
    const order: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(() => {
      order.push('loop');
      resolve();
    });
    await Promise.all([work(hasher).then(() => order.push('hash')), promise]);
    expect(order).toEqual(['loop', 'hash']);
  });
});

describe('The argon2id hasher', () => {
  const hasher = createArgon2PasswordHasher({ concurrency: 2, queueLimit: 10 });
  let stored: PasswordHash;

  beforeEach(async () => {
    const hashed = await hasher.hash('correct horse');
    stored = hashed.ok ? hashed.value : expect.fail('the hasher was busy');
    vi.clearAllMocks();
  });

  it('uses 19 MiB, two passes, one lane and 16 bytes of salt for a hash of 32 bytes', () => {
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  it('does the same work for an unknown user as for a known one', async () => {
    await hasher.verify('correct horse', stored);
    await hasher.verify('correct horse', undefined);
    const verified = vi.mocked(argon2.verify).mock.calls.map(([hash]) => argon2.parseOptions(hash));
    expect(verified).toHaveLength(2);
    expect(verified[1]).toEqual(verified[0]);
    expect(vi.mocked(argon2.hash)).not.toHaveBeenCalled();
  });

  it('computes as many hashes at once as it may, and not one more', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const verify = vi.fn(() => promise);
    const gated: Argon2 = { hash: () => expect.fail('nothing is hashed'), verify };
    const limited = createArgon2PasswordHasher({ concurrency: 2, queueLimit: 3, argon2: gated });
    const verified = Array.from({ length: 5 }, () => limited.verify('correct horse', stored));
    await new Promise(setImmediate);
    expect(verify).toHaveBeenCalledTimes(2);
    expect(limited.load()).toEqual({ active: 2, waiting: 3 });
    resolve(true);
    expect(await Promise.all(verified)).toEqual(Array.from({ length: 5 }, () => ({ ok: true, value: true })));
  });

  it('does no work for a refused password', async () => {
    const limited = createArgon2PasswordHasher({ concurrency: 1, queueLimit: 1 });
    vi.clearAllMocks();
    await Promise.all(Array.from({ length: 10 }, () => limited.verify('correct horse', stored)));
    expect(vi.mocked(argon2.verify)).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['less memory', 'm=19456', 'm=19455', true],
    ['fewer passes', 't=2', 't=1', true],
    ['the variant argon2i', 'argon2id', 'argon2i', true],
    ['the variant argon2d', 'argon2id', 'argon2d', true],
    ['the older version', 'v=19', 'v=16', true],
    ['a shorter hash', /.{11}$/, '', true],
    ['a shorter salt', /p=1\$.{8}/, 'p=1$', true],
    ['more memory', 'm=19456', 'm=65536', false],
    ['more passes', 't=2', 't=3', false],
    ['more lanes', 'p=1', 'p=4', false],
  ])('judges a hash of %s', (_, today, other, outdated) => {
    const changed = stored.replace(today, other) as PasswordHash;
    expect(changed).not.toBe(stored);
    expect(hasher.isOutdated(changed)).toBe(outdated);
  });

  it('verifies a hash of the reference implementation', async () => {
    // The example of the README of github.com/P-H-C/phc-winner-argon2.
    const hash = '$argon2i$v=19$m=65536,t=2,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b+dWRWJTmaaJObG' as PasswordHash;
    expect(await hasher.verify('password', hash)).toEqual({ ok: true, value: true });
    expect(await hasher.verify('passwore', hash)).toEqual({ ok: true, value: false });
  });
});
