import { err, ok, type Result } from '../../result.ts';
import type { Instant } from '../../time/instant.ts';
import { rotationProblem, type TokenObstacle } from '../rotation/rotation.ts';
import type { Token } from '../token.ts';
import type { TokenDetails } from './token-status.ts';

/** A token's new name, its new end, or both. */
export interface TokenChanges {
  readonly name?: string | undefined;
  readonly expiresAt?: Instant | undefined;
}

/** Why a token cannot be changed. */
export type TokenNotUpdatable = { readonly code: 'token_not_updatable' } & TokenObstacle;

/** A token's end is only ever brought forward. */
export interface ExpiryNotEarlier {
  readonly code: 'expiry_not_earlier';
  /** The present end. */
  readonly expiresAt: Instant;
}

/**
 * Returns the token with these changes; the same object if they change nothing. `predecessor` is the token that it
 * replaces, if any.
 *
 * While a rotation is under way, both tokens have one name and neither is renamed: either would then be looked for in
 * vain by the name that the other still has.
 */
export function updatedToken(
  token: TokenDetails,
  predecessor: Token | undefined,
  { name = token.name, expiresAt: end }: TokenChanges,
  now: Instant,
): Result<TokenDetails, TokenNotUpdatable | ExpiryNotEarlier> {
  const problem = rotationProblem(token, predecessor, now);
  if (problem && (name !== token.name || !isUnderWay(problem))) {
    return err({ ...problem, code: 'token_not_updatable' });
  }
  // The signed token says when it ends at the latest, and a record that ends later would not match it.
  if (end !== undefined && token.expiresAt !== null && end > token.expiresAt) {
    return err({ code: 'expiry_not_earlier', expiresAt: token.expiresAt });
  }
  const expiresAt = end ?? token.expiresAt;
  const isChanged = name !== token.name || expiresAt !== token.expiresAt;
  return ok(isChanged ? Object.freeze({ ...token, name, expiresAt }) : token);
}

/** Whether the obstacle is a rotation, which does not keep the end from being brought forward. */
function isUnderWay({ reason }: TokenObstacle): boolean {
  return reason === 'being_replaced' || reason === 'replaces_another';
}
