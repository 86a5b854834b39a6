import type { Instant } from '../../src/time/index.ts';
import { lifetimeProblem, limitProblem } from '../../src/token-policy/index.ts';
import type { Token, TokenDetails, TokenQuery, TokenRepository } from '../../src/tokens/index.ts';
import { isAcceptedIn, isLive, isRefusedSinceUse, tokenState } from '../../src/tokens/index.ts';
import type { State } from './state.ts';

/** A token with everything that administration shows of it. */
export function detailsOf(state: State, token: Token): TokenDetails {
  const { lastUsedAt, lastUsedFrom, lastRefusal } = state.usageOf(token.id);
  const usage = { lastUsedAt, lastUsedFrom, lastRefusal };
  const description = state.descriptions.get(token.id) ?? null;
  return { ...state.recordOf(token), usage, description, successor: successorOf(state, token) };
}

/** The part of a TokenRepository that only reads. */
export function tokenReading(
  state: State,
): Pick<
  TokenRepository,
  'findRecord' | 'findRecords' | 'find' | 'findSeveral' | 'findWithRotation' | 'findUsage' | 'list' | 'count'
> {
  const entryOf = (token: Token) => detailsOf(state, token);
  return {
    async findRecord(id) {
      const token = state.tokens.get(id);
      return token && state.recordOf(token);
    },
    async findRecords(ids) {
      return ids.flatMap((id) => state.tokens.get(id) ?? []).map((token) => state.recordOf(token));
    },
    async find(id) {
      const token = state.tokens.get(id);
      return token && entryOf(token);
    },
    async findSeveral(ids) {
      return ids
        .toSorted()
        .flatMap((id) => state.tokens.get(id) ?? [])
        .map(entryOf);
    },
    async findWithRotation(id, at) {
      const token = state.tokens.get(id);
      if (!token) return [];
      const ids = [id, token.replaces?.tokenId, successorOf(state, token)];
      const found = ids.flatMap((each) => (each && state.tokens.get(each)) || []).map(entryOf);
      return found.map((each) => ({ ...each, isOverPolicy: isOverPolicy(state, each, at) }));
    },
    findUsage: async (id) => state.usageOf(id),
    async list(query) {
      const { after, expiringBefore, unusedSince, limit } = query;
      const isDescending = query.newestFirst && expiringBefore === undefined && unusedSince === undefined;
      const before = (a: Order, b: Order) =>
        isDescending ? a.id > b.id : isBefore(a, b, expiringBefore !== undefined);
      return [...state.tokens.values()]
        .map(entryOf)
        .filter((entry) => takes(state, query, entry))
        .filter((token) => after === undefined || before(after, token))
        .sort((a, b) => (before(a, b) ? -1 : 1))
        .slice(0, limit);
    },
    async count({ limit, ...query }) {
      const taken = [...state.tokens.values()].filter((token) => takes(state, query, entryOf(token)));
      return Math.min(taken.length, limit);
    },
  };
}

type Order = Pick<Token, 'id' | 'expiresAt'>;

function isBefore(a: Order, b: Order, byExpiry: boolean): boolean {
  const [one, other] = byExpiry ? [a.expiresAt ?? 0, b.expiresAt ?? 0] : [0, 0];
  return one < other || (one === other && a.id < b.id);
}

export function successorOf(state: State, { id }: Token) {
  const live = [...state.tokens.values()].find(
    ({ replaces, revocation }) => replaces?.tokenId === id && revocation === null,
  );
  return live?.id ?? null;
}

/** Whether the filter selects the token. */
export function takes(
  store: State,
  query: Omit<TokenQuery, 'limit' | 'after' | 'newestFirst'>,
  token: TokenDetails,
): boolean {
  const { user, account } = token;
  const { unusedSince, expiringBefore, scope } = query;
  const { lastUsedAt } = token.usage;
  const state = tokenState(token, query.now);
  const asked = (wanted: unknown, is: unknown) => wanted === undefined || wanted === is;
  return (
    asked(query.accountId, token.accountId) &&
    asked(query.userId, token.userId) &&
    asked(query.creatorInactive, user.disabledAt !== null || account.suspendedAt !== null) &&
    asked(query.kind, token.kind) &&
    asked(query.state, state) &&
    asked(query.live, isLive(token, query.now)) &&
    asked(query.name, token.name) &&
    asked(query.keyId, token.keyId) &&
    (scope === undefined || token.scopes.includes(scope)) &&
    (!query.refusedSinceUse || (isAcceptedIn(state) && isRefusedSinceUse(token.usage))) &&
    (unusedSince === undefined ||
      (isAcceptedIn(state) && token.createdAt < unusedSince && (lastUsedAt ?? 0) < unusedSince)) &&
    (!query.overPolicy || (isAcceptedIn(state) && isOverPolicy(store, token, query.now))) &&
    (!query.neverExpiring || (isAcceptedIn(state) && token.expiresAt === null)) &&
    (expiringBefore === undefined ||
      (isAcceptedIn(state) && token.expiresAt !== null && token.expiresAt < expiringBefore))
  );
}

function isOverPolicy(state: State, token: TokenDetails, now: Instant): boolean {
  const { rules, holder } = state.rulesFor(token);
  const problem = token.kind === 'api' ? limitProblem : lifetimeProblem;
  return problem(rules, holder, token, now) !== undefined;
}
