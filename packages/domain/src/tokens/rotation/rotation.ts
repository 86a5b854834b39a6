import { type Instant, LAST_INSTANT, wholeSecond } from '../../time/instant.ts';
import type { TokenDetails } from '../administration/token-status.ts';
import { haveSameNetworks } from '../networks/token-networks.ts';
import { isLive, type Replacement, type Token, type TokenId } from '../token.ts';

/** By default, a token is accepted for this time after its successor's first use, in milliseconds: 24 hours. */
export const DEFAULT_GRACE_MS = 86_400_000;

/** Longest grace period, in milliseconds: 366 days. */
export const GRACE_MAX_MS = 366 * 86_400_000;

/** Returns what is wrong with a grace period in milliseconds; undefined if it is valid. */
export function graceProblem(graceMs: number): string | undefined {
  if (graceMs > GRACE_MAX_MS) return 'must be at most 366 days';
  if (graceMs < 0) return 'must not be negative';
  return Number.isSafeInteger(graceMs) ? undefined : 'must be a whole number of milliseconds';
}

/** A token that a rotation issued to replace another token. */
export type Successor = Token & { readonly replaces: Replacement };

/**
 * The reason why a token can be neither changed nor rotated: it is a sign-in token, has ended, or is part of a rotation
 * that is not finished.
 */
export type TokenObstacle =
  | { readonly reason: 'sign_in' | 'revoked' | 'expired' }
  /** The token already has a successor. `successorId` is null if the successor was used and then revoked. */
  | { readonly reason: 'being_replaced'; readonly successorId: TokenId | null }
  /** The token replaces another token and has not been used yet. */
  | { readonly reason: 'replaces_another'; readonly predecessorId: TokenId };

/** The reason why a token cannot be rotated. */
export type TokenNotRotatable = { readonly code: 'token_not_rotatable' } & TokenObstacle;

/**
 * Returns why this token cannot be rotated now, or undefined if it can. `predecessor` is the token that this token
 * replaces, if any.
 *
 * A successor cannot be rotated before its first use, because that use sets the expiry of its predecessor. If a
 * successor were replaced before it is used, its predecessor would keep its old expiry, or never expire.
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
 * Returns the expiry of a successor that is issued now. Its lifetime is the time from the token's creation to the
 * token's current expiry. The creation counts as a whole second, like expiries, so that repeated rotations do not
 * shorten the lifetime.
 */
export function sameLifeFrom(now: Instant, { createdAt, expiresAt }: Token): Instant | null {
  if (expiresAt === null) return null;
  return Math.min(now + expiresAt - wholeSecond(createdAt), LAST_INSTANT) as Instant;
}

/**
 * Whether the successor has the name and the networks of the token that it replaces, and at most the lifetime of that
 * token. Returns false if one of these was changed after the successor was made.
 */
export function takesAfter({ name, networks, createdAt, expiresAt }: Successor, token: Token): boolean {
  const latest = sameLifeFrom(createdAt, token);
  const isSame = name === token.name && haveSameNetworks(networks, token.networks);
  return isSame && (latest === null || (expiresAt !== null && expiresAt <= latest));
}
