import type { KeyId, VerificationKey } from '@gatehouse/domain/signing-keys';
import { blake2b } from '@noble/hashes/blake2.js';

const KEY_LENGTH = 32;

/** Returns the Ed25519 public key of PASETO version 4 in PASERK form (types/public.md). */
export function toPaserk(key: Pick<VerificationKey, 'publicKey'>): `k4.public.${string}` {
  if (key.publicKey.length !== KEY_LENGTH) {
    throw new RangeError(`an Ed25519 public key has ${KEY_LENGTH} bytes, not ${key.publicKey.length}`);
  }
  return `k4.public.${Buffer.from(key.publicKey).toString('base64url')}`;
}

/** Returns the key's `k4.pid`: a BLAKE2b hash of 33 bytes of its PASERK (operations/ID.md). */
export function toKeyId(publicKey: Uint8Array): KeyId {
  const hash = blake2b(Buffer.from(`k4.pid.${toPaserk({ publicKey })}`), { dkLen: 33 });
  return `k4.pid.${Buffer.from(hash).toString('base64url')}` as KeyId;
}
