import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok } from '@gatehouse/domain';
import type { KeyId, SealedSecret } from '@gatehouse/domain/signing-keys';
import { createFixedClock, START } from '@gatehouse/domain/testing';
import { keyEncryptionContract } from '@gatehouse/domain/testing/contracts';
import { CompactEncrypt, type CompactJWEHeaderParameters } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFollowingKeyEncryption, createKeyEncryption } from './following-key-encryption.ts';
import type { MasterKey } from './master-key.ts';

const aMasterKey = (byte: number) => new Uint8Array(32).fill(byte) as MasterKey;
const [first, second, third] = [aMasterKey(1), aMasterKey(2), aMasterKey(3)];
const textOf = (masterKey: MasterKey) => Buffer.from(masterKey).toString('base64url');

keyEncryptionContract('What follows its file', {
  createEncryption: () =>
    createFollowingKeyEncryption({ masterKey: first, file: '/none/master.key' }, createFixedClock(START)),
  createEncryptionWithAnotherMasterKey: () =>
    createFollowingKeyEncryption({ masterKey: second, file: undefined }, createFixedClock(START)),
});

describe('A process that loaded a master key from a file', () => {
  const id = 'key' as KeyId;
  const secret = new Uint8Array(32).fill(9);
  const rejected = { ok: false, error: { code: 'master_key_rejected' } };
  const sealedUnder = (masterKey: MasterKey) => createKeyEncryption({ masterKey }).seal(secret, id);

  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-following-'));
    file = join(folder, 'master.key');
    await writeFile(file, textOf(first), { mode: 0o600 });
  });
  afterEach(() => rm(folder, { recursive: true }));

  function aProcess() {
    const clock = createFixedClock(START);
    return { clock, encryption: createFollowingKeyEncryption({ masterKey: first, file }, clock) };
  }

  it('opens and seals with the key that replaces it in the file', async () => {
    const { encryption } = aProcess();
    await writeFile(file, textOf(second), { mode: 0o600 });
    expect(await encryption.open(await sealedUnder(second), id)).toEqual({ ok: true, value: secret });
    const sealed = await encryption.seal(secret, id);
    expect(await createKeyEncryption({ masterKey: second }).open(sealed, id)).toMatchObject({ ok: true });
    // It follows a second replacement, too.
    const again = aProcess();
    await writeFile(file, textOf(third), { mode: 0o600 });
    expect(await again.encryption.open(await sealedUnder(third), id)).toMatchObject({ ok: true });
  });

  it('opens with the next key beside the file, at every step of the replacement', async () => {
    await writeFile(`${file}.new`, textOf(second), { mode: 0o600 });
    const sealed = await sealedUnder(second);
    expect(await aProcess().encryption.open(sealed, id)).toMatchObject({ ok: true });
    const { encryption, clock } = aProcess();
    expect(await encryption.open(await sealedUnder(first), id)).toMatchObject({ ok: true });
    await rename(`${file}.new`, file);
    expect(await encryption.open(sealed, id)).toMatchObject({ ok: true });
    clock.advance(1000);
    expect(await encryption.open(sealed, id)).toMatchObject({ ok: true });
  });

  it('seals under the newer key from then on, also after it opened a secret of the older one', async () => {
    const { encryption } = aProcess();
    await writeFile(`${file}.new`, textOf(second), { mode: 0o600 });
    for (const masterKey of [first, second, first])
      expect(await encryption.open(await sealedUnder(masterKey), id)).toMatchObject({ ok: true });
    const sealed = await encryption.seal(secret, id);
    expect(await createKeyEncryption({ masterKey: second }).open(sealed, id)).toMatchObject({ ok: true });
  });

  it('keeps sealing under the key that opens secrets, whatever the file contains', async () => {
    const { encryption } = aProcess();
    await writeFile(file, textOf(second), { mode: 0o600 });
    expect(await encryption.open(await sealedUnder(third), id)).toEqual(rejected);
    const sealed = await encryption.seal(secret, id);
    expect(await createKeyEncryption({ masterKey: first }).open(sealed, id)).toMatchObject({ ok: true });
  });

  it('reads the file at most once a second, however many secrets cannot be opened', async () => {
    const { encryption, clock } = aProcess();
    const sealed = await sealedUnder(second);
    expect(await encryption.open(sealed, id)).toEqual(rejected);
    await writeFile(file, textOf(second), { mode: 0o600 });
    clock.advance(999);
    expect(await encryption.open(sealed, id)).toEqual(rejected);
    clock.advance(1);
    expect(await encryption.open(sealed, id)).toMatchObject({ ok: true });
  });

  it('never reads a pipe again, which could wait for a writer', async () => {
    await writeFile(file, textOf(second), { mode: 0o600 });
    const loaded = { masterKey: first, file, pipe: true };
    const encryption = createFollowingKeyEncryption(loaded, createFixedClock(START));
    expect(await encryption.open(await sealedUnder(second), id)).toEqual(rejected);
  });

  it('works without the file, and with any other content', async () => {
    const { encryption, clock } = aProcess();
    await writeFile(file, 'damaged', { mode: 0o600 });
    expect(await encryption.open(await sealedUnder(second), id)).toEqual(rejected);
    await rm(file);
    clock.advance(1000);
    expect(await encryption.open(await sealedUnder(second), id)).toEqual(rejected);
    expect(await encryption.open(await sealedUnder(first), id)).toMatchObject({ ok: true });
  });
});

const masterKey = new Uint8Array(32).fill(1) as MasterKey;
const another = new Uint8Array(32).fill(2) as MasterKey;

keyEncryptionContract('JWE', {
  createEncryption: () => createKeyEncryption({ masterKey }),
  createEncryptionWithAnotherMasterKey: () => createKeyEncryption({ masterKey: another }),
});

describe('A sealed secret', () => {
  const encryption = createKeyEncryption({ masterKey });
  const id = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k' as KeyId;
  const secret = new Uint8Array(32).fill(3);

  const sealUnder = async (header: CompactJWEHeaderParameters) =>
    (await new CompactEncrypt(secret).setProtectedHeader(header).encrypt(masterKey)) as SealedSecret;

  it('is a compact JWE with the key id, and a JWE by another library opens as well', async () => {
    const sealed = await encryption.seal(secret, id);
    const [header = '', ...others] = sealed.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'dir',
      enc: 'A256GCM',
      kid: id,
    });
    expect(others).toHaveLength(4);
    expect(await encryption.open(await sealUnder({ alg: 'dir', enc: 'A256GCM', kid: id }), id)).toEqual(
      ok(secret),
    );
  });

  it.each<[string, CompactJWEHeaderParameters]>([
    ['another way of using the master key', { alg: 'A256KW', enc: 'A256GCM', kid: id }],
    ['another cipher', { alg: 'dir', enc: 'A128CBC-HS256', kid: id }],
    ['no key id', { alg: 'dir', enc: 'A256GCM' }],
  ])('is rejected when it was made with %s', async (_, header) => {
    expect(await encryption.open(await sealUnder(header), id)).toEqual({
      ok: false,
      error: { code: 'master_key_rejected' },
    });
  });
});
