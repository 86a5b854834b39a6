import type { KeyId, VerificationKey } from '../signing-keys/signing-key.ts';
import type { TokenClaims } from './token-claims.ts';
import type { TokenFormat } from './token-format.ts';

export interface KeyPair {
  readonly id: KeyId;
  /** 32 bytes: the raw Ed25519 public key. */
  readonly publicKey: Uint8Array;
  /** 32 bytes: the Ed25519 seed (RFC 8032 section 5.1.5). */
  readonly secretKey: Uint8Array;
}

/** The longest token that is looked at. Ours have under 600 characters. */
export const TOKEN_MAX_LENGTH = 2048;

/**
 * Writes and checks tokens of one format. It knows cryptography and syntax, not rights: an expired or
 * revoked token verifies here like any other, and is refused by `authenticateToken`.
 *
 * Only the one spelling that `sign` writes is read: other versions, purposes and algorithms, padding or
 * trailing bits in base64url, further header members, duplicate members, and white space are refused.
 * Implementations pass `tokenSignerContract`.
 */
export interface TokenSigner {
  readonly format: TokenFormat;

  generateKey(): Promise<KeyPair>;

  sign(claims: TokenClaims, key: KeyPair): Promise<string>;

  /** The key that a token of this format names. Unverified: fit for finding the key, and nothing else. */
  keyIdOf(token: string): KeyId | undefined;

  /** The claims, if the signature holds under this key and everything is spelled as `sign` does. */
  verify(token: string, key: VerificationKey): Promise<TokenClaims | undefined>;
}
