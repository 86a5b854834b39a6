import type { Brand } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenFormat } from '../tokens/token.ts';

/** `k4.pid...` (PASERK) for a PASETO key, an RFC 7638 thumbprint for a JWT key. */
export type KeyId = Brand<string, 'KeyId'>;

/** A signing key's secret half, encrypted under the master key and bound to the key's id. */
export type SealedSecret = Brand<string, 'SealedSecret'>;

/**
 * The states of a key, in the order in which a key has them. At most one key per format is active. Servers already verify
 * tokens with a staged key, so every server knows a key before the key signs. An unwanted staged key can stay, because a token
 * is accepted only if its record names its key, and no record names a key that never signed.
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

/** Parses a key id from user input. Formats spell ids differently, so it only refuses text that cannot be an id. */
export function parseKeyId(text: string): KeyId | undefined {
  return /^[\w.-]{1,128}$/.test(text) ? (text as KeyId) : undefined;
}
