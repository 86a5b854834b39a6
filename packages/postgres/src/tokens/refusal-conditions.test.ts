import { ok } from '@gatehouse/domain';
import { anEvent } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import {
  type AccountTokenQuery,
  ATTENTION_KINDS,
  type AttentionKind,
  isAcceptedIn,
  isLive,
  TOKEN_SECTIONS,
  TOKEN_STATES,
  type Token,
  type TokenDetails,
  type TokenFilter,
  tokenState,
} from '@gatehouse/domain/tokens';
import { afterAll, describe, expect, test } from 'vitest';
import { ADDRESS, NOW, openRefusableTokens } from '../../testing/refusable-tokens.ts';

const { store, tokens, close } = await openRefusableTokens();
afterAll(close);

// The tokens are stored already, so those that never expire break this floor.
await store.tokenPolicies.setFloor(
  ({ person, service }) => ok({ service, person: { ...person, mustExpire: true } }),
  () => anEvent(),
);

const stateOf = (token: TokenDetails) => tokenState(token, NOW);
const isAccepted = (token: TokenDetails) => isAcceptedIn(stateOf(token));
const isLiveNow = (token: Token) => isLive(token, NOW);
const idsOf = (holds: (token: TokenDetails) => boolean) => tokens.filter(holds).map(({ id }) => id);
const unique = <T>(values: readonly T[]) => [...new Set(values)];
const accounts = unique(tokens.map(({ accountId }) => accountId));

test('each state is that of some token', () => {
  expect(unique(tokens.map(stateOf)).toSorted()).toEqual(TOKEN_STATES.toSorted());
});

describe('a list of all tokens', () => {
  const listed = async (filter: TokenFilter) =>
    (await store.tokens.list({ ...filter, now: NOW, limit: 1000 })).map(({ id }) => id);

  test.each(TOKEN_STATES)('has as %s those that the domain says are', async (state) => {
    expect(await listed({ state })).toEqual(idsOf((token) => stateOf(token) === state));
  });

  const later = addMilliseconds(NOW, 2);
  test.each<[string, TokenFilter, (token: TokenDetails) => boolean]>([
    ['unused', { unusedSince: NOW }, () => true],
    ['refused since their use', { refusedSinceUse: true }, () => true],
    ['never expiring', { neverExpiring: true }, ({ expiresAt }) => expiresAt === null],
    ['over the rules', { overPolicy: true }, ({ expiresAt }) => expiresAt === null],
    ['expiring', { expiringBefore: later }, ({ expiresAt }) => expiresAt !== null && expiresAt < later],
  ])('has as %s those that the domain accepts', async (_, filter, isAskedFor) => {
    expect(await listed(filter)).toEqual(idsOf((token) => isAccepted(token) && isAskedFor(token)));
  });

  test('has as of inactive creators those whose user is disabled or whose account is suspended', async () => {
    const inactive = ({ user, account }: TokenDetails) =>
      user.disabledAt !== null || account.suspendedAt !== null;
    expect(await listed({ creatorInactive: true })).toEqual(idsOf(inactive));
  });
});

/** Sections of fewer tokens than are counted are read whole, others in their order, and those with an address by it. */
describe.each([
  ['that is read whole', { countLimit: 1001 }],
  ['that is read in its order', { countLimit: 1 }],
  ['that is searched for an address', { countLimit: 1001, search: ADDRESS }],
  ['that is searched for an address among many', { countLimit: 1, search: ADDRESS }],
] as const)('a list of an account %s', (_, size) => {
  async function listed(parts: Pick<AccountTokenQuery, 'section' | 'state' | 'creatorInactive'>) {
    const query = { ...parts, ...size, order: 'newest', limit: 1000, now: NOW } as const;
    const pages = await Promise.all(
      accounts.map((accountId) => store.tokens.listOfAccount({ ...query, accountId })),
    );
    return pages.flatMap((page) => page.tokens.map(({ id }) => id)).toSorted();
  }

  test.each(TOKEN_SECTIONS)('has in its section %s those that the domain says', async (section) => {
    expect(await listed({ section })).toEqual(idsOf((token) => isAccepted(token) === (section === 'active')));
  });

  test.each(TOKEN_STATES)('has as %s those that the domain says are', async (state) => {
    const section = isAcceptedIn(state) ? 'active' : 'ended';
    expect(await listed({ section, state })).toEqual(idsOf((token) => stateOf(token) === state));
  });

  test('has as of inactive creators those whose user is disabled or whose account is suspended', async () => {
    const inactive = ({ user, account }: TokenDetails) =>
      user.disabledAt !== null || account.suspendedAt !== null;
    expect(await listed({ section: 'ended', creatorInactive: true })).toEqual(idsOf(inactive));
  });
});

describe.each([1000, 5])('what needs attention, counted up to %i', (countLimit) => {
  const later = addMilliseconds(NOW, 2);
  const NEEDS: Readonly<Record<AttentionKind, (token: TokenDetails) => boolean>> = {
    expiring: (token) => isAccepted(token) && token.expiresAt !== null && token.expiresAt < later,
    unused: isAccepted,
    refusedSinceUse: isAccepted,
    overPolicy: (token) => isAccepted(token) && token.expiresAt === null,
    creatorInactive: (token) => isLiveNow(token) && token.user.disabledAt !== null,
  };
  test.each(ATTENTION_KINDS)('has as %s those that the domain says', async (kind) => {
    for (const accountId of accounts) {
      const found = await store.tokens.findNeedingAttention({
        accountId,
        expiringBefore: later,
        unusedSince: NOW,
        countLimit,
        limit: countLimit,
        now: NOW,
      });
      const expected = idsOf((token) => token.accountId === accountId && NEEDS[kind](token));
      expect(found[kind].count).toBe(Math.min(expected.length, countLimit));
      expect(expected).toEqual(expect.arrayContaining(found[kind].first.map(({ id }) => id)));
      expect(found[kind].first).toHaveLength(found[kind].count);
    }
  });
});

describe('live tokens', () => {
  test('are those that the domain says, of each user', async () => {
    for (const userId of unique(tokens.map((token) => token.userId))) {
      const live = await store.users.listLiveTokens(userId, { at: NOW, limit: 1000 });
      const expected = idsOf((token) => token.userId === userId && isLiveNow(token));
      expect(live.map(({ id }) => id).toSorted()).toEqual(expected);
    }
  });

  test('are counted as the domain says, of each account and of each key', async () => {
    for (const accountId of accounts) {
      const { apiTokens } = await store.accounts.countUse(accountId, { at: NOW, limit: 1000 });
      const isCounted = (token: Token) =>
        token.accountId === accountId && token.kind === 'api' && isLiveNow(token);
      expect(apiTokens).toBe(idsOf(isCounted).length);
    }
    const counts = await store.signingKeys.countLiveTokens(NOW);
    for (const keyId of unique(tokens.map((token) => token.keyId))) {
      const expected = idsOf((token) => token.keyId === keyId && isLiveNow(token)).length;
      expect(counts.get(keyId)?.count ?? 0).toBe(expected);
    }
  });
});
