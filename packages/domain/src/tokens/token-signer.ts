import type { Awaitable } from '../awaitable.ts';
import type { KeyId, VerificationKey } from '../signing-keys/signing-key.ts';
import type { TokenFormat } from './token.ts';
import type { TokenClaims } from './token-claims.ts';

export interface KeyPair {
  readonly id: KeyId;
  /** 32 bytes: the raw Ed25519 public key. */
  readonly publicKey: Uint8Array;
  /** 32 bytes: the Ed25519 seed (RFC 8032 section 5.1.5). */
  readonly secretKey: Uint8Array;
}

/** Longest token that is parsed, in characters. Issued tokens have fewer than 600. */
export const TOKEN_MAX_LENGTH = 2048;

/**
 * Signs and verifies tokens of one format. It knows cryptography and syntax, not rights: an expired or revoked token
 * verifies here, and `authenticateToken` refuses it.
 *
 * It accepts only the spelling that `sign` produces: it refuses other versions, purposes and algorithms, padding or
 * trailing bits in base64url, additional header members, duplicate members, and white space.
 * Implementations pass `tokenSignerContract`.
 */
export interface TokenSigner {
  readonly format: TokenFormat;

  generateKey(): Promise<KeyPair>;

  sign(claims: TokenClaims, key: KeyPair): Promise<string>;

  /** Returns the id of the key that a token of this format names. Unverified: use it only to find the key. */
  keyIdOf(token: string): KeyId | undefined;

  /** Returns the claims if this key's signature is valid and the token is spelled as by `sign`. */
  verify(token: string, key: VerificationKey): Awaitable<TokenClaims | undefined>;
}
