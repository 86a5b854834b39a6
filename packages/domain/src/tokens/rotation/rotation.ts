import { type Instant, later } from '../../time/instant.ts';
import type { TokenDetails } from '../administration/token-status.ts';
import { isLive } from '../is-live.ts';
import type { Replacement, Token, TokenId } from '../token.ts';

/** How long a token stays good after its successor's first use where nobody says otherwise: 24 hours. */
export const DEFAULT_GRACE_MS = 86_400_000;

/** 366 days. A token that is to stay good for longer is not being replaced. */
export const GRACE_MAX_MS = 366 * 86_400_000;

/** A token that a rotation made to take another's place. */
export type Successor = Token & { readonly replaces: Replacement };

/** Why a token cannot be rotated. */
export type TokenNotRotatable = { readonly code: 'token_not_rotatable' } & (
  | { readonly reason: 'sign_in' | 'revoked' | 'expired' }
  /** `successorId` is null where the successor was used, and revoked since. */
  | { readonly reason: 'being_replaced'; readonly successorId: TokenId | null }
  /** It was made by a rotation and has not been used yet. */
  | { readonly reason: 'replaces_another'; readonly predecessorId: TokenId }
);

/**
 * Why this token cannot be rotated now; undefined if it can. `predecessor` is the token that it was made to
 * replace, if it was.
 *
 * A successor has to be used first: its first use is what ends its predecessor, and a token that took its
 * place would end only this one, so that the predecessor stayed good for ever.
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
 * The token as the first use of its successor leaves it: good for the grace period, and never longer than it
 * was. Undefined where the use changes nothing: the token has ended by then or was replaced before, or the
 * successor is revoked, whose place another may take.
 */
export function replacedBy(successor: Successor, token: Token, firstUse: Instant): Token | undefined {
  if (successor.revocation || token.replacedAt !== null || !isLive(token, firstUse)) return undefined;
  const graceEnds = later(firstUse, successor.replaces.graceMs);
  const { expiresAt } = token;
  return {
    ...token,
    expiresAt: expiresAt === null || graceEnds < expiresAt ? graceEnds : expiresAt,
    replacedAt: firstUse,
  };
}
