import type { VerificationKey } from '@gatehouse/domain/signing-keys';
import type { KeyPair } from '@gatehouse/domain/tokens';
import { PublicProtocol } from 'paseto';
import {
  ExportSecretKeyFactory,
  GenerateKeyPairFactory,
  ImportPublicKeyFactory,
  ImportSecretKeyFactory,
  type PublicKey,
  type SecretKey,
} from 'paseto/v4/public';
import { toKeyId, toPaserk } from './paserk.ts';

const protocol = new PublicProtocol(
  GenerateKeyPairFactory,
  ImportPublicKeyFactory,
  ImportSecretKeyFactory,
  ExportSecretKeyFactory,
);

export async function generateKey(): Promise<KeyPair> {
  const { secretKey: generated } = await protocol.GenerateKeyPair({ extractable: true });
  const paserk = await protocol.ExportSecretKey(generated);
  const material = Buffer.from(paserk.slice('k4.secret.'.length), 'base64url');
  const [secretKey, publicKey] = [material.subarray(0, 32), material.subarray(32)];
  return {
    id: toKeyId(publicKey),
    publicKey: Uint8Array.from(publicKey),
    secretKey: Uint8Array.from(secretKey),
  };
}

/** Caches imported keys for as long as their key objects live: importing adds a sixth to a verification. */
const publicKeys = new WeakMap<VerificationKey, Promise<PublicKey>>();
const secretKeys = new WeakMap<KeyPair, Promise<SecretKey>>();

export function importPublicKey(key: VerificationKey): Promise<PublicKey> {
  const known = publicKeys.get(key);
  if (known) return known;
  const imported = protocol.ImportPublicKey(toPaserk(key));
  publicKeys.set(key, imported);
  return imported;
}

export function importSecretKey(key: KeyPair): Promise<SecretKey> {
  const known = secretKeys.get(key);
  if (known) return known;
  const material = Buffer.concat([key.secretKey, key.publicKey]).toString('base64url');
  const imported = protocol.ImportSecretKey(`k4.secret.${material}`);
  secretKeys.set(key, imported);
  return imported;
}
