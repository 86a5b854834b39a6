import { createPublicKey } from 'node:crypto';
import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import type { KeyPair } from '@gatehouse/domain/tokens';
import { exportJWK, generateKeyPair, importJWK } from 'jose';
import { toKeyId, toKeyMaterial } from './jwk.ts';

export async function generateKey(): Promise<KeyPair> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const { d = '', x = '' } = await exportJWK(privateKey);
  const publicKey = Uint8Array.from(Buffer.from(x, 'base64url'));
  return { id: await toKeyId(publicKey), publicKey, secretKey: Uint8Array.from(Buffer.from(d, 'base64url')) };
}

/** Caches imported keys for as long as their key objects live: importing adds a sixth to a verification. */
function cached<Key extends object, Imported>(importKey: (key: Key) => Imported) {
  const known = new WeakMap<Key, Imported>();
  return (key: Key) => {
    let imported = known.get(key);
    if (imported === undefined) {
      imported = importKey(key);
      known.set(key, imported);
    }
    return imported;
  };
}

export const importPublicKey = cached(({ publicKey }: VerificationKey) =>
  createPublicKey({ format: 'jwk', key: toKeyMaterial(publicKey) }),
);

export const importSecretKey = cached(({ publicKey, secretKey }: KeyPair) => {
  const d = Buffer.from(secretKey).toString('base64url');
  return importJWK({ ...toKeyMaterial(publicKey), d }, 'EdDSA');
});
