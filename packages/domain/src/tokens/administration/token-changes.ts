import { err, ok, type Result } from '../../result.ts';
import type { Instant } from '../../time/instant.ts';
import { rotationProblem, type TokenObstacle } from '../rotation/rotation.ts';
import type { Token } from '../token.ts';
import type { TokenDetails } from './token-status.ts';

/** The changes to make to a token. A change that is undefined keeps what the token has. */
export interface TokenChanges {
  readonly name?: string | undefined;
  readonly expiresAt?: Instant | undefined;
  /** Null removes the description. */
  readonly description?: string | null | undefined;
}

/** The reason why a token cannot be changed. */
export type TokenNotUpdatable = { readonly code: 'token_not_updatable' } & TokenObstacle;

/** The error if the requested expiry is later than the token's current expiry. */
export interface ExpiryNotEarlier {
  readonly code: 'expiry_not_earlier';
  /** The current expiry. */
  readonly expiresAt: Instant;
}

/**
 * Returns the token with these changes, or the same object if the changes have no effect. `predecessor` is the token
 * that this token replaces, if any.
 *
 * During a rotation, the replaced token and its successor have the same name, so that a search by name finds both.
 * Neither of the two can be renamed then. Their descriptions can be changed.
 */
export function updatedToken(
  token: TokenDetails,
  predecessor: Token | undefined,
  { name = token.name, expiresAt: end, description = token.description }: TokenChanges,
  now: Instant,
): Result<TokenDetails, TokenNotUpdatable | ExpiryNotEarlier> {
  const problem = rotationProblem(token, predecessor, now);
  if (problem && (name !== token.name || !isUnderWay(problem))) {
    return err({ ...problem, code: 'token_not_updatable' });
  }
  // The signed token contains its latest possible expiry. A record with a later expiry would not match the signed
  // token.
  if (end !== undefined && token.expiresAt !== null && end > token.expiresAt) {
    return err({ code: 'expiry_not_earlier', expiresAt: token.expiresAt });
  }
  const expiresAt = end ?? token.expiresAt;
  const isChanged = name !== token.name || expiresAt !== token.expiresAt || description !== token.description;
  return ok(isChanged ? Object.freeze({ ...token, name, expiresAt, description }) : token);
}

/** Whether the obstacle is a rotation that is not finished. All but the name of the token can still be changed then. */
function isUnderWay({ reason }: TokenObstacle): boolean {
  return reason === 'being_replaced' || reason === 'replaces_another';
}
