import type { Awaitable } from '../awaitable.ts';
import type { KeyId, VerificationKey } from '../signing-keys/signing-key.ts';
import { type Instant, LAST_INSTANT } from '../time/instant.ts';
import { parseUserId, type UserId } from '../users/user.ts';
import { parseTokenId, TOKEN_KINDS, type TokenFormat, type TokenId, type TokenKind } from './token.ts';

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
 * Signs and verifies tokens of one format. A signer checks cryptography and syntax, and no rights: `verify` accepts an
 * expired or revoked token, and `authenticateToken` refuses it.
 *
 * A signer accepts only the spelling that `sign` produces. It refuses other versions, purposes and algorithms, padding
 * or trailing bits in base64url, additional header members, duplicate members, and white space.
 * Implementations pass `tokenSignerContract`.
 */
export interface TokenSigner {
  readonly format: TokenFormat;

  generateKey(): Promise<KeyPair>;

  sign(claims: TokenClaims, key: KeyPair): Promise<string>;

  /**
   * Returns the id of the key that a token names; undefined if the text is not a token of this format. The id is not
   * verified, so use it only to find the key.
   */
  keyIdOf(token: string): KeyId | undefined;

  /**
   * Returns the claims if this key's signature is valid and the token has exactly the spelling that `sign` produces.
   */
  verify(token: string, key: VerificationKey): Awaitable<TokenClaims | undefined>;
}

/** The claims of the issuer. They are written into each issued token, and a token with other values is refused. */
export interface TokenIssuer {
  readonly issuer: string;
  readonly audience: string;
}

/** The claims of a signed token. They grant no rights: a token is accepted only if its claims match its record. */
export interface TokenClaims extends TokenIssuer {
  readonly subject: UserId;
  readonly tokenId: TokenId;
  /** The time of issue, which is a whole second. */
  readonly issuedAt: Instant;
  /** The expiry, which is a whole second; null if the token never expires. */
  readonly expiresAt: Instant | null;
  readonly kind: TokenKind;
}

/** Returns the claims under their registered names. A token whose claims have a different order is refused. */
export function toPayload<T>(claims: TokenClaims, toDate: (instant: Instant) => T) {
  const dateOf = (instant: Instant) => {
    if (isTokenDate(instant)) return toDate(instant);
    throw new RangeError('the dates of a token are whole seconds up to the year 9999');
  };
  return {
    iss: claims.issuer,
    aud: claims.audience,
    sub: String(claims.subject),
    jti: claims.tokenId,
    iat: dateOf(claims.issuedAt),
    // JSON leaves out a member that is undefined. Adding the member by spreading an object would double the time to
    // make the payload.
    exp: claims.expiresAt === null ? undefined : dateOf(claims.expiresAt),
    kind: claims.kind,
  };
}

/**
 * Returns the claims if each is present and has its type. The caller then compares the bytes of the token's payload
 * with the bytes that `toPayload` writes for these claims. This comparison rejects additional members and other
 * encodings.
 */
export function fromPayload(
  { iss, aud, sub, jti, iat, exp, kind: name }: Readonly<Record<string, unknown>>,
  fromDate: (claim: unknown) => number | undefined,
): TokenClaims | undefined {
  if (typeof iss !== 'string' || typeof aud !== 'string') return undefined;
  const subject = typeof sub === 'string' ? parseUserId(sub) : undefined;
  const tokenId = typeof jti === 'string' ? parseTokenId(jti) : undefined;
  const [issuedAt, expiresAt] = [fromDate(iat), exp === undefined ? null : fromDate(exp)];
  const kind = TOKEN_KINDS.find((known) => known === name);
  if (subject === undefined || tokenId === undefined || kind === undefined) return undefined;
  if (!isTokenDate(issuedAt) || !(expiresAt === null || isTokenDate(expiresAt))) return undefined;
  return { issuer: iss, audience: aud, subject, tokenId, issuedAt, expiresAt, kind };
}

function isTokenDate(instant: number | undefined): instant is Instant {
  return Number.isInteger(Number(instant) / 1000) && Number(instant) >= 0 && Number(instant) <= LAST_INSTANT;
}
