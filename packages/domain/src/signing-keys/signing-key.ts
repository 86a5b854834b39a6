import type { Brand } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenFormat } from '../tokens/token.ts';

/** `k4.pid...` (PASERK) for a PASETO key, an RFC 7638 thumbprint for a JWT key. */
export type KeyId = Brand<string, 'KeyId'>;

/** A signing key's secret half, encrypted under the master key and bound to the key's id. */
export type SealedSecret = Brand<string, 'SealedSecret'>;

/**
 * A key goes through the states staged, active, verify-only and retired in this order. At most one key per format is
 * active. Staged keys already verify, so that every node knows a key before it signs. An unwanted staged key can stay: a
 * token is accepted only with a record, and no record names this key.
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
