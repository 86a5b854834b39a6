import type {
  AccountTokenQuery,
  TokenCursor,
  TokenDetails,
  TokenOrder,
  TokenRepository,
} from '../../src/tokens/index.ts';
import {
  addressesFound,
  addressSearch,
  cursorOf,
  isAcceptedIn,
  isLive,
  isNameFound,
  tokenSearch,
  tokenState,
} from '../../src/tokens/index.ts';
import { emailKey } from '../../src/users/index.ts';
import type { State } from './state.ts';
import { detailsOf, takes } from './token-reading.ts';

/** The part of a TokenRepository that lists an account's API tokens. */
export function tokenLists(state: State): Pick<TokenRepository, 'listOfAccount' | 'findNeedingAttention'> {
  const ofAccount = (accountId: AccountTokenQuery['accountId']) =>
    [...state.tokens.values()]
      .filter((token) => token.accountId === accountId && token.kind === 'api')
      .map((token) => detailsOf(state, token));

  const foundBy = ({ search = '' }: AccountTokenQuery) => {
    const addresses = addressSearch(search);
    return ({ id }: TokenDetails) => addresses && addressesFound(addresses, state.usageOf(id));
  };

  return {
    async listOfAccount(query) {
      const { accountId, cursor, order, limit, countLimit, now } = query;
      const all = ofAccount(accountId);
      const inSection = (section: AccountTokenQuery['section']) =>
        all.filter((token) => isAcceptedIn(tokenState(token, now)) === (section === 'active'));
      const count = (things: readonly unknown[]) => Math.min(things.length, countLimit);

      const foundAddresses = foundBy(query);
      const selected = inSection(query.section).filter((token) =>
        isSelected(state, query, token, foundAddresses(token) !== undefined),
      );
      const backwards = cursor !== undefined && 'before' in cursor;
      const [from, sign] = backwards ? [cursor.before, -1] : [cursor?.after, 1];
      const inDirection = selected
        .map((token) => ({ token, at: cursorOf(order, token) }))
        .filter(({ at }) => from === undefined || sign * compare(order, at, from) > 0)
        .sort((one, other) => sign * compare(order, one.at, other.at))
        .map(({ token }) => token);
      const page = inDirection.slice(0, limit);
      return {
        tokens: backwards ? page.reverse() : page,
        foundAddresses: new Map(
          page.flatMap((token) => {
            const found = foundAddresses(token);
            return found ? [[token.id, found] as const] : [];
          }),
        ),
        more: inDirection.length > limit,
        total: count(selected),
        counts: { active: count(inSection('active')), ended: count(inSection('ended')) },
      };
    },

    async findNeedingAttention({ accountId, expiringBefore, unusedSince, countLimit, limit, now }) {
      const find = (order: TokenOrder, holds: (token: TokenDetails) => boolean) => {
        const found = ofAccount(accountId)
          .filter(holds)
          .sort((one, other) => compare(order, cursorOf(order, one), cursorOf(order, other)));
        const first = found.slice(0, limit).map(({ id, name }) => ({ id, name }));
        return { count: Math.min(found.length, countLimit), first };
      };
      return {
        expiring: find('expiry', (token) => takes(state, { now, expiringBefore }, token)),
        unused: find('least_recently_used', (token) => takes(state, { now, unusedSince }, token)),
        refusedSinceUse: find('newest', (token) => takes(state, { now, refusedSinceUse: true }, token)),
        overPolicy: find('newest', (token) => takes(state, { now, overPolicy: true }, token)),
        creatorInactive: find('newest', (token) => isLive(token, now) && token.user.disabledAt !== null),
      };
    },
  };
}

function isSelected(
  store: State,
  query: AccountTokenQuery,
  token: TokenDetails,
  hasAddress: boolean,
): boolean {
  const { creator, search, now, accountId, state, scope } = query;
  const { creatorInactive, unusedSince, neverExpiring, overPolicy, expiringBefore, refusedSinceUse } = query;
  const filter = {
    accountId,
    state,
    scope,
    creatorInactive,
    unusedSince,
    neverExpiring,
    overPolicy,
    expiringBefore,
  };
  return (
    takes(store, { ...filter, refusedSinceUse, now }, token) &&
    (creator === undefined || emailKey(token.user.email) === emailKey(creator)) &&
    (search === undefined || hasAddress || isFound(search, token))
  );
}

function isFound(text: string, { id, name, user }: TokenDetails): boolean {
  const search = tokenSearch(text);
  // A beginning is one of the name or of the email; words may be in both.
  const owner = search.words.length === 0 ? [user.name, user.email] : [`${user.name} ${user.email}`];
  return id === search.id || [name, ...owner].some((each) => isNameFound(search, each));
}

const fold = (text: string) => text.toLowerCase();

/** Compares two positions in an order. */
function compare(order: TokenOrder, one: TokenCursor, other: TokenCursor): number {
  const sign = order === 'newest' || order === 'most_recently_used' ? -1 : 1;
  const [a, b] = [one, other].map(({ value }) => comparable(order, value)) as [string, string];
  return sign * (sequence(a, b) || sequence(one.id, other.id));
}

function comparable(order: TokenOrder, value: string): string {
  if (order === 'name') return fold(value);
  if (value !== 'never') return value;
  return order === 'expiry' ? '~' : '';
}

function sequence(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
