import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import type { KeyPair } from '@gatehouse/domain/tokens';
import { exportJWK, generateKeyPair, importJWK } from 'jose';
import { toKeyId, toKeyMaterial } from './jwk.ts';

type ImportedKey = Awaited<ReturnType<typeof importJWK>>;

export async function generateKey(): Promise<KeyPair> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const { d = '', x = '' } = await exportJWK(privateKey);
  const publicKey = Uint8Array.from(Buffer.from(x, 'base64url'));
  return {
    id: await toKeyId(publicKey),
    publicKey,
    secretKey: Uint8Array.from(Buffer.from(d, 'base64url')),
  };
}

/** Caches imported keys for as long as their key objects live: importing adds a sixth to a verification. */
const publicKeys = new WeakMap<VerificationKey, Promise<ImportedKey>>();
const secretKeys = new WeakMap<KeyPair, Promise<ImportedKey>>();

export function importPublicKey(key: VerificationKey): Promise<ImportedKey> {
  return publicKeys.getOrInsertComputed(key, () => importJWK(toKeyMaterial(key.publicKey), 'EdDSA'));
}

export function importSecretKey(key: KeyPair): Promise<ImportedKey> {
  return secretKeys.getOrInsertComputed(key, ({ publicKey, secretKey }) => {
    const d = Buffer.from(secretKey).toString('base64url');
    return importJWK({ ...toKeyMaterial(publicKey), d }, 'EdDSA');
  });
}
