import type { Instant } from '../../src/time/index.ts';
import { isLive, type Token, type TokenRepository } from '../../src/tokens/index.ts';
import type { UserId } from '../../src/users/index.ts';
import type { State } from './state.ts';

/** The part of a TokenRepository that limits the sign-ins of a user. */
export function signInBound(state: State): Pick<TokenRepository, 'endOldestSignIns'> {
  return {
    async endOldestSignIns({ userId, keep, limit }, revocation, cause) {
      const soonest = liveSignIns(state, userId, revocation.at)
        .toSorted((one, other) => expiryOf(one) - expiryOf(other) || byAge(one, other))
        .slice(0, keep + limit);
      const ended = new Set(soonest.toSorted(byAge).slice(0, Math.max(0, soonest.length - keep)));
      state.revokeTokensOf(userId, revocation, cause, (token) => ended.has(token));
      return ended.size;
    },
  };
}

export function liveSignIns(state: State, userId: UserId, at: Instant): readonly Token[] {
  const isSignIn = (token: Token) => token.userId === userId && token.kind === 'sign-in' && isLive(token, at);
  return [...state.tokens.values()].filter(isSignIn);
}

const expiryOf = ({ expiresAt }: Token) => expiresAt ?? Number.MAX_SAFE_INTEGER;

const byAge = ({ id: one }: Token, { id: other }: Token) => (one < other ? -1 : 1);
