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
  const known = publicKeys.get(key);
  if (known) return known;
  const imported = importJWK(toKeyMaterial(key.publicKey), 'EdDSA');
  publicKeys.set(key, imported);
  return imported;
}

export function importSecretKey(key: KeyPair): Promise<ImportedKey> {
  const known = secretKeys.get(key);
  if (known) return known;
  const d = Buffer.from(key.secretKey).toString('base64url');
  const imported = importJWK({ ...toKeyMaterial(key.publicKey), d }, 'EdDSA');
  secretKeys.set(key, imported);
  return imported;
}
