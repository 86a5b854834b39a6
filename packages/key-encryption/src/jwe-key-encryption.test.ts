import { ok } from '@gatehouse/domain';
import type { KeyId, SealedSecret } from '@gatehouse/domain/signing-keys';
import { keyEncryptionContract } from '@gatehouse/domain/testing/contracts';
import { CompactEncrypt, type CompactJWEHeaderParameters } from 'jose';
import { describe, expect, it } from 'vitest';
import { createKeyEncryption } from './jwe-key-encryption.ts';
import type { MasterKey } from './master-key.ts';

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
