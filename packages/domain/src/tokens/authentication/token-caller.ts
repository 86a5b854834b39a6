import type { Principal, RefusedCaller } from '../../access/index.ts';
import type { VerificationKey } from '../../signing-keys/signing-key.ts';
import { type Instant, wholeSecond } from '../../time/instant.ts';
import { type RefusalReason, recordRefusal } from '../refusal-reasons.ts';
import type { Token, TokenRecord } from '../token.ts';
import type { TokenClaims } from '../token-signer.ts';

/** A user acting through a token. */
export interface TokenCaller extends Principal {
  readonly token: TokenRecord;
  /** When the token was accepted, which is its last use. */
  readonly acceptedAt: Instant;
}

/** The issuer claims that are written into tokens and expected in them. */
export interface TokenIssuer {
  readonly issuer: string;
  readonly audience: string;
}

/** A token with a valid signature. */
export interface VerifiedToken {
  readonly claims: TokenClaims;
  readonly key: VerificationKey;
}

/** Returns the caller for a verified token and its record. Pure; runs on every use of the token. */
export function tokenCaller(
  { claims, key }: VerifiedToken,
  token: TokenRecord | undefined,
  context: { readonly issuer: TokenIssuer; readonly now: Instant; readonly origin: string },
): TokenCaller | RefusedCaller {
  if (!token) return refused('unknown_token');
  if (key.id !== token.keyId || key.format !== token.format) return refused('key_mismatch');
  if (!claimsMatch(claims, token, context.issuer)) return refused('claims_mismatch');
  const reason = recordRefusal(token, context.now);
  if (reason) return refused(reason);

  return {
    kind: 'user',
    userId: token.user.id,
    accountId: token.accountId,
    role: token.user.role,
    scopes: token.scopes,
    origin: context.origin,
    token,
    acceptedAt: context.now,
  };
}

/** Makes the caller of a request whose token was not accepted, or that has none. */
export function refused(reason: RefusalReason): RefusedCaller {
  return { kind: 'refused', reason };
}

/** Whether a verified token's claims match its record. */
function claimsMatch(claims: TokenClaims, token: Token, issuer: TokenIssuer): boolean {
  return (
    claims.issuer === issuer.issuer &&
    claims.audience === issuer.audience &&
    claims.tokenId === token.id &&
    claims.subject === token.subject &&
    claims.kind === token.kind &&
    claims.issuedAt === wholeSecond(token.createdAt) &&
    expiryMatches(claims.expiresAt, token.expiresAt)
  );
}

/** A record can expire earlier than the signed token, never later. */
function expiryMatches(claimed: Instant | null, recorded: Instant | null): boolean {
  return claimed === null || (recorded !== null && recorded <= claimed);
}
