import type { VerificationKey } from '../signing-keys/signing-key.ts';
import { type Instant, wholeSecond } from '../time/instant.ts';
import type { Grant, Token } from './token.ts';
import type { TokenClaims } from './token-claims.ts';

/** Why a token whose signature holds is not accepted, in the order in which it is checked. */
export const STANDINGS = [
  'claims_mismatch',
  'key_mismatch',
  'key_retired',
  'revoked',
  'expired',
  'user_disabled',
  'account_suspended',
] as const;

export type StandingProblem = (typeof STANDINGS)[number];

/** Every reason for a refusal: those before there is a record to look at, and those of the record. */
export type RefusalReason =
  | 'no_token'
  | 'malformed'
  | 'unknown_key'
  | 'bad_signature'
  | 'unknown_token'
  | StandingProblem;

/** What an issuer writes into its tokens, and so what it expects to find in them. */
export interface TokenIssuer {
  readonly issuer: string;
  readonly audience: string;
}

/** What a token's record says of it at this moment; undefined when it is good. Pure, and never cached. */
export function standingProblem(grant: Grant, now: Instant): StandingProblem | undefined {
  const { token, key, user, account } = grant;
  if (key.state === 'retired') return 'key_retired';
  if (token.revocation) return 'revoked';
  // An expiry is the first moment at which the token is no longer good (RFC 7519 section 4.1.4).
  if (token.expiresAt !== null && now >= token.expiresAt) return 'expired';
  if (user.disabledAt !== null) return 'user_disabled';
  if (account.suspendedAt !== null) return 'account_suspended';
  return undefined;
}

/** Whether a verified token's claims are those that its record was issued with. */
export function claimsMatch(claims: TokenClaims, token: Token, issuer: TokenIssuer): boolean {
  return (
    claims.issuer === issuer.issuer &&
    claims.audience === issuer.audience &&
    claims.tokenId === token.id &&
    claims.subject === token.subject &&
    claims.kind === token.kind &&
    claims.issuedAt === wholeSecond(token.createdAt)
  );
}

/** Whether this is the key and the format that the record names. */
export function keyMatches(key: VerificationKey, token: Token): boolean {
  return key.id === token.keyId && key.format === token.format;
}
