import type { Principal, RefusedCaller } from '../../access/caller.ts';
import type { VerificationKey } from '../../signing-keys/signing-key.ts';
import { type Instant, wholeSecond } from '../../time/instant.ts';
import { type RefusalReason, recordRefusal } from '../refusal-reasons.ts';
import type { Token, TokenRecord } from '../token.ts';
import type { TokenClaims } from '../token-claims.ts';

/** A user acting through a token. */
export interface TokenCaller extends Principal {
  readonly token: TokenRecord;
  /** When the token was accepted: its last use is this one. */
  readonly acceptedAt: Instant;
}

/** What an issuer writes into its tokens, and so what it expects to find in them. */
export interface TokenIssuer {
  readonly issuer: string;
  readonly audience: string;
}

/** A token whose signature holds. */
export interface VerifiedToken {
  readonly claims: TokenClaims;
  readonly key: VerificationKey;
}

/** The caller that a verified token makes its bearer, given its record. Pure: all of it is checked on every use. */
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

export function refused(reason: RefusalReason): RefusedCaller {
  return { kind: 'refused', reason };
}

/** Whether a verified token's claims are those that its record was issued with. */
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

/** A record may come to end earlier than its token says, never later. */
function expiryMatches(claimed: Instant | null, recorded: Instant | null): boolean {
  return claimed === null || (recorded !== null && recorded <= claimed);
}
