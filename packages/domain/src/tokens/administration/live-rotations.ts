import type { Instant } from '../../time/instant.ts';
import type { TokenId } from '../token.ts';
import type { TokenRepository } from '../token-repository.ts';
import { isAcceptedIn, type TokenDetails, type TokenStatus, tokenStatus } from './token-status.ts';

/** A token that was replaced more often than this in a grace period is older than any that matters. */
const MAX_STEPS = 10;

/**
 * Returns the other tokens of this token's rotations that still work, newest first. A token that has ended may have replaced
 * one that still works, so the search continues behind it.
 */
export async function liveRotationsOf(
  tokens: Pick<TokenRepository, 'find'>,
  token: TokenDetails,
  now: Instant,
): Promise<readonly TokenStatus[]> {
  const newer = await follow(tokens, token, ({ successor }) => successor);
  const older = await olderRotationsOf(tokens, token);
  return [...newer.toReversed(), ...older]
    .map((each) => tokenStatus(each, now))
    .filter(({ state }) => isAcceptedIn(state));
}

/** Returns the token that this one replaced, the predecessor of that token, and so on. */
export function olderRotationsOf(
  tokens: Pick<TokenRepository, 'find'>,
  token: TokenDetails,
): Promise<readonly TokenDetails[]> {
  return follow(tokens, token, ({ replaces }) => replaces?.tokenId ?? null);
}

async function follow(
  tokens: Pick<TokenRepository, 'find'>,
  from: TokenDetails,
  nextOf: (token: TokenDetails) => TokenId | null,
): Promise<readonly TokenDetails[]> {
  const found: TokenDetails[] = [];
  for (let next = nextOf(from); next !== null && found.length < MAX_STEPS; ) {
    const token = await tokens.find(next);
    if (!token) break;
    found.push(token);
    next = nextOf(token);
  }
  return found;
}
