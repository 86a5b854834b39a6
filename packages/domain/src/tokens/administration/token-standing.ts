import type { VerificationKey } from '../../signing-keys/signing-key.ts';
import { type Instant, wholeSecond } from '../../time/instant.ts';
import type { Grant, Token } from '../token.ts';
import type { TokenClaims } from '../token-claims.ts';

/** In the order in which they are looked at. */
export const STANDING_PROBLEMS = [
  'key_retired',
  'revoked',
  'expired',
  'user_disabled',
  'account_suspended',
] as const;

/** Why a token's record does not let it be accepted. */
export type StandingProblem = (typeof STANDING_PROBLEMS)[number];

/** Every reason for a refusal: what is wrong with the token, how it differs from its record, and the record's own. */
export type RefusalReason =
  | 'no_token'
  | 'malformed'
  | 'unknown_key'
  | 'bad_signature'
  | 'unknown_token'
  | 'key_mismatch'
  | 'claims_mismatch'
  | StandingProblem;

/** Whether it is the record that refuses: then the token is the one that was issued, and its owner may wonder. */
export function isStandingProblem(reason: RefusalReason): reason is StandingProblem {
  return (STANDING_PROBLEMS as readonly string[]).includes(reason);
}

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
    claims.issuedAt === wholeSecond(token.createdAt) &&
    expiryMatches(claims.expiresAt, token.expiresAt)
  );
}

/** A record may come to end earlier than its token says, never later. */
function expiryMatches(claimed: Instant | null, recorded: Instant | null): boolean {
  return claimed === null || (recorded !== null && recorded <= claimed);
}

/** Whether this is the key and the format that the record names. */
export function keyMatches(key: VerificationKey, token: Token): boolean {
  return key.id === token.keyId && key.format === token.format;
}
