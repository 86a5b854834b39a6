import type { Brand } from '../brand.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenFormat } from '../tokens/token-format.ts';

/** `k4.pid...` (PASERK) for a PASETO key, an RFC 7638 thumbprint for a JWT key. */
export type KeyId = Brand<string, 'KeyId'>;

/** A signing key's secret half, encrypted under the master key and bound to the key's id. */
export type SealedSecret = Brand<string, 'SealedSecret'>;

/**
 * staged → active → verify-only → retired, never back and none left out. Staged keys verify already, so that
 * every node knows a key before anything is signed with it; at most one key a format is active. One that is
 * staged and not wanted may stay so: a token is worth nothing without a record, and no record names it.
 */
export const KEY_STATES = ['staged', 'active', 'verify-only', 'retired'] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** What it takes to check a signature. */
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

/** Reads a key id as a person gives it; each format spells its own, so only what no id can be is refused. */
export function parseKeyId(text: string): KeyId | undefined {
  return /^[\w.-]{1,128}$/.test(text) ? (text as KeyId) : undefined;
}
