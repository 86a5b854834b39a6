import { type Instant, LAST_INSTANT, wholeSecond } from '../../time/instant.ts';
import type { TokenDetails } from '../administration/token-status.ts';
import { isLive, type Replacement, type Token, type TokenId } from '../token.ts';

/** Default time that a token works after its successor's first use, in milliseconds: 24 hours. */
export const DEFAULT_GRACE_MS = 86_400_000;

/** Longest grace period, in milliseconds: 366 days. */
export const GRACE_MAX_MS = 366 * 86_400_000;

/** A token that replaces another one by a rotation. */
export type Successor = Token & { readonly replaces: Replacement };

/** The reason why a token cannot be changed: it is being rotated, or has ended. */
export type TokenObstacle =
  | { readonly reason: 'sign_in' | 'revoked' | 'expired' }
  /** `successorId` is null if the successor was used and then revoked. */
  | { readonly reason: 'being_replaced'; readonly successorId: TokenId | null }
  /** The token replaces another one and has not been used yet. */
  | { readonly reason: 'replaces_another'; readonly predecessorId: TokenId };

/** The reason why a token cannot be rotated. */
export type TokenNotRotatable = { readonly code: 'token_not_rotatable' } & TokenObstacle;

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

/**
 * Returns the expiry of a successor that is made now: its lifetime equals the token's, from its creation to its current
 * expiry. It counts from a whole second, like expiries, so that repeated rotations do not shorten the lifetime.
 */
export function sameLifeFrom(now: Instant, { createdAt, expiresAt }: Token): Instant | null {
  if (expiresAt === null) return null;
  return Math.min(now + expiresAt - wholeSecond(createdAt), LAST_INSTANT) as Instant;
}

/**
 * Whether the successor has the name of the token that it replaces, and at most the lifetime of that token. False if the
 * replaced token was renamed, or its expiry brought forward, after the successor was made.
 */
export function takesAfter({ name, createdAt, expiresAt }: Successor, token: Token): boolean {
  const latest = sameLifeFrom(createdAt, token);
  return name === token.name && (latest === null || (expiresAt !== null && expiresAt <= latest));
}
