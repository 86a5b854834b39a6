import type { Brand } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenFormat } from '../tokens/token.ts';

/** The id of a signing key: `k4.pid...` (PASERK) for a PASETO key, an RFC 7638 thumbprint for a JWT key. */
export type KeyId = Brand<string, 'KeyId'>;

/**
 * The secret half of a signing key, encrypted with the master key. It can be decrypted only together with the key's id.
 */
export type SealedSecret = Brand<string, 'SealedSecret'>;

/**
 * The states of a key, in the order in which a key passes through them. At most one key per format is active. Servers
 * already read a staged key to verify tokens, so every server knows a key before the key signs. A staged key that is
 * never activated does no harm: a token is accepted only if its record names its key, and no record names a key that
 * has never signed.
 */
export const KEY_STATES = ['staged', 'active', 'verify-only', 'retired'] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** The public part of a signing key, which verifies signatures. */
export interface VerificationKey {
  readonly id: KeyId;
  readonly format: TokenFormat;
  /** The raw Ed25519 public key, 32 bytes (RFC 8032 section 5.1.5). */
  readonly publicKey: Uint8Array;
}

export interface SigningKey extends VerificationKey {
  readonly state: KeyState;
  readonly sealedSecret: SealedSecret;
  readonly createdAt: Instant;
  readonly activatedAt: Instant | null;
  readonly retiredAt: Instant | null;
}

/**
 * A key is due for rotation when it has signed for this many milliseconds (a year): the longer a key signs, the more
 * tokens end with it if it leaks.
 */
export const KEY_DUE_MS = 365 * 86_400_000;

/**
 * Parses a key id from user input. The ids of the two formats look different, so only text that cannot be an id of
 * either format is refused.
 */
export function parseKeyId(text: string): KeyId | undefined {
  return /^[\w.-]{1,128}$/.test(text) ? (text as KeyId) : undefined;
}
