import type { Principal, RefusedCaller } from '../../access/caller.ts';
import type { VerificationKey } from '../../signing-keys/signing-key.ts';
import type { Instant } from '../../time/instant.ts';
import {
  claimsMatch,
  keyMatches,
  type RefusalReason,
  standingProblem,
  type TokenIssuer,
} from '../administration/token-standing.ts';
import type { Grant } from '../token.ts';
import type { TokenClaims } from '../token-claims.ts';

/** A user acting through a token, with the grant that says so. */
export interface TokenCaller extends Principal {
  readonly grant: Grant;
  /** When the token was accepted: its last use is this one. */
  readonly acceptedAt: Instant;
}

/** A token whose signature holds. */
export interface VerifiedToken {
  readonly claims: TokenClaims;
  readonly key: VerificationKey;
}

/** Whom a verified token makes its bearer, given its record. Pure: all of it holds on every use. */
export function tokenCaller(
  { claims, key }: VerifiedToken,
  grant: Grant | undefined,
  context: { readonly issuer: TokenIssuer; readonly now: Instant; readonly origin: string },
): TokenCaller | RefusedCaller {
  if (!grant) return refused('unknown_token');
  if (!keyMatches(key, grant.token)) return refused('key_mismatch');
  if (!claimsMatch(claims, grant.token, context.issuer)) return refused('claims_mismatch');
  const problem = standingProblem(grant, context.now);
  if (problem) return refused(problem);

  const { user, token } = grant;
  return {
    kind: 'user',
    userId: user.id,
    accountId: token.accountId,
    role: user.role,
    scopes: token.scopes,
    origin: context.origin,
    grant,
    acceptedAt: context.now,
  };
}

export function refused(reason: RefusalReason): RefusedCaller {
  return { kind: 'refused', reason };
}
