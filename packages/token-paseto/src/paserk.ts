import type { KeyId, VerificationKey } from '@gatehouse/domain/signing-keys';
import type { KeyPair } from '@gatehouse/domain/tokens';
import { blake2b } from '@noble/hashes/blake2.js';
import { PublicProtocol } from 'paseto';
import { ExportSecretKeyFactory, GenerateKeyPairFactory } from 'paseto/v4/public';

const KEY_LENGTH = 32;

/**
 * Returns an Ed25519 public key in the text form PASERK for PASETO version 4 (types/public.md of the PASERK
 * specification).
 */
export function toPaserk(key: Pick<VerificationKey, 'publicKey'>): `k4.public.${string}` {
  if (key.publicKey.length !== KEY_LENGTH) {
    throw new RangeError(`an Ed25519 public key has ${KEY_LENGTH} bytes, not ${key.publicKey.length}`);
  }
  return `k4.public.${Buffer.from(key.publicKey).toString('base64url')}`;
}

/**
 * Returns the id of a key, its `k4.pid`: a BLAKE2b hash with 33 bytes of the key's PASERK (operations/ID.md of the
 * PASERK specification).
 */
export function toKeyId(publicKey: Uint8Array): KeyId {
  const hash = blake2b(Buffer.from(`k4.pid.${toPaserk({ publicKey })}`), { dkLen: 33 });
  return `k4.pid.${Buffer.from(hash).toString('base64url')}` as KeyId;
}

const protocol = new PublicProtocol(GenerateKeyPairFactory, ExportSecretKeyFactory);

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
