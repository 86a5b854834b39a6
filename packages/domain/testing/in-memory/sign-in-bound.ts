import { isLive, type Token, type TokenRepository } from '../../src/tokens/index.ts';
import type { State } from './state.ts';

/** The part of a TokenRepository that limits the sign-ins of a user. */
export function signInBound(state: State): Pick<TokenRepository, 'endOldestSignIns'> {
  return {
    async endOldestSignIns({ userId, keep, limit }, revocation, cause) {
      const isSignIn = (token: Token) =>
        token.userId === userId && token.kind === 'sign-in' && isLive(token, revocation.at);
      const soonest = [...state.tokens.values()]
        .filter(isSignIn)
        .toSorted((one, other) => expiryOf(one) - expiryOf(other) || byAge(one, other))
        .slice(0, keep + limit);
      const ended = new Set(soonest.toSorted(byAge).slice(0, Math.max(0, soonest.length - keep)));
      state.revokeTokensOf(userId, revocation, cause, (token) => ended.has(token));
      return ended.size;
    },
  };
}

const expiryOf = ({ expiresAt }: Token) => expiresAt ?? Number.MAX_SAFE_INTEGER;

const byAge = ({ id: one }: Token, { id: other }: Token) => (one < other ? -1 : 1);
