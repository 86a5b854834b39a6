import type { KeyId, VerificationKey } from '@gatehouse/domain/signing-keys';
import type { KeyPair } from '@gatehouse/domain/tokens';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';

const KEY_LENGTH = 32;

/**
 * Returns an Ed25519 public key (RFC 8037 section 2) as a JWK of a key set. The JWK has the members that a verifier
 * needs to choose a key (RFC 7517 section 4).
 */
export function toJwk(key: VerificationKey) {
  return { ...toKeyMaterial(key.publicKey), kid: key.id, alg: 'EdDSA', use: 'sig' } as const;
}

/** Returns the id of a key: its SHA-256 thumbprint (RFC 7638). */
export async function toKeyId(publicKey: Uint8Array): Promise<KeyId> {
  return (await calculateJwkThumbprint(toKeyMaterial(publicKey))) as KeyId;
}

/** The members that RFC 8037 section 2 requires of a public key. */
function toKeyMaterial(publicKey: Uint8Array) {
  if (publicKey.length !== KEY_LENGTH) {
    throw new RangeError(`an Ed25519 public key has ${KEY_LENGTH} bytes, not ${publicKey.length}`);
  }
  return { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') } as const;
}

export async function generateKey(): Promise<KeyPair> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const { d = '', x = '' } = await exportJWK(privateKey);
  const publicKey = Uint8Array.from(Buffer.from(x, 'base64url'));
  return { id: await toKeyId(publicKey), publicKey, secretKey: Uint8Array.from(Buffer.from(d, 'base64url')) };
}
