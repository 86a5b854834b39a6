import type { AccountId } from '../../src/accounts/index.ts';
import { err, ok } from '../../src/index.ts';
import type { ShortenedToken, TokenPolicies, TooLongAt } from '../../src/token-policy/index.ts';
import { INITIAL_TOKEN_POLICY, lifetimeProblem, shortenedExpiry } from '../../src/token-policy/index.ts';
import { isLive, type Token } from '../../src/tokens/index.ts';
import type { State } from './state.ts';

export function createInMemoryTokenPolicies(state: State): TokenPolicies {
  const ownOf = (id: AccountId) => state.policies.get(id) ?? INITIAL_TOKEN_POLICY;

  function tooLong(accountId: AccountId, { at }: TooLongAt): readonly ShortenedToken[] {
    return [...state.tokens.values()]
      .filter((token) => token.accountId === accountId && isLive(token, at))
      .flatMap((token) => {
        const { rules, holder } = state.rulesFor(token);
        const expiresAt = shortenedExpiry(rules, at, token.expiresAt);
        const isTooLong = lifetimeProblem(rules, holder, token, at) !== undefined;
        return isTooLong && expiresAt !== null ? [{ token, expiresAt }] : [];
      })
      .sort(({ token: one }, { token: other }) => (isBefore(one, other) ? -1 : 1));
  }

  return {
    async find(accountId) {
      return state.accounts.has(accountId) ? { own: ownOf(accountId), floor: state.floor } : undefined;
    },
    async findFloor() {
      return state.floor;
    },
    async set(accountId, change, audit) {
      if (!state.accounts.has(accountId)) return err({ code: 'account_not_found' });
      const before = ownOf(accountId);
      const changed = change(before);
      if (!changed.ok) return changed;
      const after = changed.value;
      const event = audit(before, after);
      if (!state.actorMayAct(event)) return err({ code: 'not_allowed' });
      if (after === before) return ok({ before, after });
      state.policies.set(accountId, after);
      for (const [id, at] of state.confirmedAt)
        if (state.users.get(id)?.accountId === accountId) state.confirm(id, at);
      state.events.push(event);
      return ok({ before, after });
    },
    async setFloor(change, audit) {
      const before = state.floor;
      const changed = change(before);
      if (!changed.ok) return changed;
      const after = changed.value;
      if (after === before) return ok({ before, after });
      state.events.push(audit(before, after));
      state.floor = after;
      return ok({ before, after });
    },
    async listTooLong(accountId, { after, ...bound }) {
      return tooLong(accountId, bound)
        .filter(({ token }) => after === undefined || isBefore(after, token))
        .slice(0, bound.limit);
    },
    async shorten(accountId, bound, audit) {
      const chosen = tooLong(accountId, bound)
        .slice(0, bound.limit)
        .sort((one, other) => (one.token.id < other.token.id ? -1 : 1));
      const events = chosen.map(audit);
      if (!events.every((event) => state.actorMayAct(event))) return [];
      for (const { token, expiresAt } of chosen) state.tokens.set(token.id, { ...token, expiresAt });
      state.events.push(...events);
      return chosen;
    },
  };
}

type Place = Pick<Token, 'id' | 'expiresAt'>;

/** Whether the first token expires later, or at the same time and has the smaller id. */
function isBefore(one: Place, other: Place): boolean {
  const [a, b] = [one, other].map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY) as [
    number,
    number,
  ];
  return a > b || (a === b && one.id < other.id);
}
