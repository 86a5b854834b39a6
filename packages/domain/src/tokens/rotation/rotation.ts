import type { Instant } from '../../time/instant.ts';
import type { TokenDetails } from '../administration/token-status.ts';
import { isLive, type Replacement, type Token, type TokenId } from '../token.ts';

/** Default time that a token works after its successor's first use, in milliseconds: 24 hours. */
export const DEFAULT_GRACE_MS = 86_400_000;

/** Longest grace period, in milliseconds: 366 days. */
export const GRACE_MAX_MS = 366 * 86_400_000;

/** A token that replaces another one by a rotation. */
export type Successor = Token & { readonly replaces: Replacement };

/** Why a token cannot be rotated. */
export type TokenNotRotatable = { readonly code: 'token_not_rotatable' } & (
  | { readonly reason: 'sign_in' | 'revoked' | 'expired' }
  /** `successorId` is null if the successor was used and then revoked. */
  | { readonly reason: 'being_replaced'; readonly successorId: TokenId | null }
  /** The token replaces another one and has not been used yet. */
  | { readonly reason: 'replaces_another'; readonly predecessorId: TokenId }
);

/**
 * Returns why this token cannot be rotated now, or undefined if it can. `predecessor` is the token that it replaces,
 * if any.
 *
 * A successor cannot be rotated before its first use, which sets its predecessor's expiry. The successor's own
 * successor would set only the successor's expiry, and the predecessor would never end.
 */
export function rotationProblem(
  token: Token & Pick<TokenDetails, 'successor'>,
  predecessor: Token | undefined,
  now: Instant,
): TokenNotRotatable | undefined {
  const code = 'token_not_rotatable';
  if (token.kind === 'sign-in') return { code, reason: 'sign_in' };
  if (!isLive(token, now)) return { code, reason: token.revocation ? 'revoked' : 'expired' };
  if (token.successor !== null || token.replacedAt !== null) {
    return { code, reason: 'being_replaced', successorId: token.successor };
  }
  if (predecessor && predecessor.replacedAt === null && isLive(predecessor, now)) {
    return { code, reason: 'replaces_another', predecessorId: predecessor.id };
  }
  return undefined;
}
