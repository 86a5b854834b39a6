import { beforeAll, describe, expect, test } from 'vitest';
import type { AccountId } from '../../src/accounts/index.ts';
import type { SigningKey } from '../../src/signing-keys/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { Token, TokenDetails, TokenFilter, TokenId, TokenQuery } from '../../src/tokens/index.ts';
import {
  isAcceptedIn,
  isLive,
  NEVER_USED,
  TOKEN_STATES,
  type TokenState,
  tokenState,
} from '../../src/tokens/index.ts';
import type { User } from '../../src/users/index.ts';
import {
  anEvent,
  aRevocation,
  aSigningKey,
  aTokenId,
  givenAdmin,
  givenAdmins,
  givenToken,
  givenUser,
  START,
} from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { combinedFilters } from './combined-filters.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openRepositories } from './open-repositories.ts';

const DAY = 86_400_000;
const day = (days: number) => addMilliseconds(START, days * DAY);

/** The time of the queries: ten days after the tokens were created. */
const NOW = day(10);

/** The states that no port of this contract can bring about. */
const UNREACHED: readonly TokenState[] = ['user_disabled', 'not_confirmed'];

/** The reading part of the TokenRepository contract. */
export function tokenReadingContract(name: string, open: OpenRepositories<RecordedRepositories>): void {
  describe(`${name} keeps the reading part of the contract of TokenRepository`, () => {
    const store = openRepositories(open);
    let given: Population;
    beforeAll(async () => {
      given = await populate(store());
    });

    const list = (filter: TokenFilter, page: Partial<TokenQuery> = {}) =>
      store().tokens.list({ now: NOW, limit: 1000, ...filter, ...page });
    const idsOf = (entries: readonly TokenDetails[]) => entries.map((token) => token.id);
    /** The ids of the tokens of the population that satisfy a condition. */
    const those = (holds: (entry: TokenDetails) => boolean) => idsOf(given.entries.filter(holds));

    /** The ids of the listed tokens of the population. */
    const listed = async (filter: TokenFilter) => {
      const ids = new Set(idsOf(await list(filter)));
      return idsOf(given.entries).filter((id) => ids.has(id));
    };

    test('an unknown id is absent', async () => {
      expect(await store().tokens.find(aTokenId())).toBeUndefined();
      expect(await store().tokens.findWithRotation(aTokenId(), NOW)).toEqual([]);
    });

    test('a new token has a record without usage and successor', async () => {
      const user = await givenAdmin(store());
      const { id } = await givenToken(store(), user);
      const entry = await store().tokens.find(id);
      expect(entry).toEqual({
        ...(await store().tokens.findRecord(id)),
        usage: NEVER_USED,
        description: null,
        successor: null,
      });
      expect(entry).toSatisfy(isDeeplyFrozen);
    });

    test('a token is read with its last use, last refusal and successor, alone and in a list', async () => {
      const [entry] = given.entries.filter((token) => token.name === 'busy');
      expect(entry?.usage).toEqual({
        lastUsedAt: day(5),
        lastUsedFrom: null,
        lastRefusal: { at: day(6), reason: 'insufficient_scope', from: null },
      });
      expect(entry?.successor).not.toBeNull();
      expect(await list({ name: 'busy' })).toEqual([entry]);
      for (const each of await list({})) expect(each).toSatisfy(isDeeplyFrozen);
    });

    test('a revoked successor is not returned', async () => {
      const user = await givenAdmin(store());
      const first = await givenToken(store(), user);
      const successorOf = async () => (await store().tokens.find(first.id))?.successor;
      const second = await givenToken(store(), user, { replaces: { tokenId: first.id, graceMs: 0 } });
      expect(await successorOf()).toBe(second.id);
      await store().tokens.revoke(second.id, aRevocation(), anEvent());
      expect(await successorOf()).toBeNull();
      const third = await givenToken(store(), user, { replaces: { tokenId: first.id, graceMs: 0 } });
      expect(await successorOf()).toBe(third.id);
    });

    test('a token is read with the one that it replaces and the one that replaces it', async () => {
      const user = await givenAdmin(store());
      await givenToken(store(), user);
      const give = (tokenId?: TokenId) =>
        givenToken(store(), user, tokenId ? { replaces: { tokenId, graceMs: 0 } } : {});
      const first = await give();
      const revoked = await give(first.id);
      await store().tokens.revoke(revoked.id, aRevocation(), anEvent());
      const second = await give(first.id);
      const third = await give(second.id);
      const kin = async ({ id }: Token) =>
        new Set((await store().tokens.findWithRotation(id, NOW)).map((token) => token.id));
      expect(await kin(first)).toEqual(new Set([first.id, second.id]));
      expect(await kin(second)).toEqual(new Set([first.id, second.id, third.id]));
      expect(await kin(third)).toEqual(new Set([second.id, third.id]));
      expect(await kin(revoked)).toEqual(new Set([first.id, revoked.id]));
      for (const token of await store().tokens.findWithRotation(second.id, NOW)) {
        expect(token).toEqual({ ...(await store().tokens.find(token.id)), isOverPolicy: false });
      }
    });

    test('the population has every reachable state, and each filter selects some tokens but not all', () => {
      const states = new Set(given.entries.map((entry) => tokenState(entry, NOW)));
      // Disabling a user revokes all of the user's tokens at once, and only a sign-in with a provider confirms one.
      expect(TOKEN_STATES.filter((state) => !states.has(state))).toEqual(UNREACHED);
      for (const [filter, holds] of given.filters) {
        if (filter.state !== undefined && UNREACHED.includes(filter.state)) continue;
        expect(those(holds).length, JSON.stringify(filter)).toBeGreaterThan(0);
        expect(those(holds).length, JSON.stringify(filter)).toBeLessThan(given.entries.length);
      }
    });

    test('each filter selects its matching tokens, and two are combined with AND', async () => {
      for (const [filter, holds] of combinedFilters(given.filters)) {
        expect(await listed(filter), JSON.stringify(filter)).toEqual(those(holds));
      }
    });

    test('the count is the length of the list, up to a limit', async () => {
      for (const [filter] of combinedFilters(given.filters)) {
        const { length } = await list(filter);
        const count = (limit: number) => store().tokens.count({ ...filter, now: NOW, limit });
        expect(await count(1000), JSON.stringify(filter)).toBe(length);
        expect(await count(2), JSON.stringify(filter)).toBe(Math.min(length, 2));
      }
    });

    test.each<[string, TokenFilter, boolean | undefined]>([
      ['by age', {}, undefined],
      ['by age, newest first', {}, true],
      [
        'by age, also if the newest of those that are unused are asked for first',
        { unusedSince: day(7) },
        true,
      ],
      ['by expiry', { expiringBefore: day(10_000) }, undefined],
      ['by expiry, also if the newest are asked for first', { expiringBefore: day(10_000) }, true],
    ])('tokens come %s, in pages of any size without gap or repetition', async (_, filter, newestFirst) => {
      const all = await list({ ...filter, accountId: given.accountId }, { newestFirst });
      const order = (token: TokenDetails) =>
        `${'expiringBefore' in filter ? token.expiresAt : ''} ${token.id}`;
      expect(all.length).toBeGreaterThan(5);
      const sorted = all.map(order).toSorted();
      const isDescending = newestFirst && Object.keys(filter).length === 0;
      expect(all.map(order)).toEqual(isDescending ? sorted.toReversed() : sorted);
      for (const limit of [1, 2, 3, all.length, all.length + 1]) {
        const paged: TokenDetails[] = [];
        for (;;) {
          const after = paged.at(-1);
          const page = await list({ ...filter, accountId: given.accountId }, { after, limit, newestFirst });
          expect(page.length).toBeLessThanOrEqual(limit);
          paged.push(...page);
          if (page.length < limit) break;
        }
        expect(idsOf(paged)).toEqual(idsOf(all));
      }
    });

    test('a page can begin after a token that was deleted', async () => {
      const user = await givenAdmin(store());
      const missing = aTokenId();
      const token = await givenToken(store(), user, { expiresAt: day(60) });
      for (const expiringBefore of [undefined, day(61)]) {
        const filter = { userId: user.id, expiringBefore };
        const page = await list(filter, { after: { id: missing, expiresAt: day(60) } });
        expect(idsOf(page)).toEqual([token.id]);
        expect(await list(filter, { after: { id: aTokenId(), expiresAt: day(60) } })).toEqual([]);
      }
    });
  });
}

interface Population {
  readonly accountId: AccountId;
  /** Every token of the population, sorted by id. */
  readonly entries: readonly TokenDetails[];
  /** Filters with one condition each, and the same condition as a function. */
  readonly filters: readonly (readonly [TokenFilter, (entry: TokenDetails) => boolean])[];
}

async function populate(store: RecordedRepositories): Promise<Population> {
  const [ada, bo] = await givenAdmins(store);
  const gone = await givenUser(store, ada.accountId);
  const cy = await givenAdmin(store);
  const tokens: Token[] = [];
  const give = async (user: User, parts: Partial<Token> = {}) => {
    const token = await givenToken(store, user, parts);
    tokens.push(token);
    return token;
  };
  const revoked = async (user: User, parts: Partial<Token> = {}) => {
    const token = await give(user, parts);
    await store.tokens.revoke(token.id, aRevocation(), anEvent());
  };

  const oldKey = await givenNewKey(store);
  await revoked(ada);
  await revoked(bo, { expiresAt: day(40) });
  await give(ada, { expiresAt: day(5) });
  const key = await givenNewKey(store);
  await store.signingKeys.retire(oldKey.id, START, aRevocation(), anEvent());

  for (const user of [ada, bo, cy, gone]) {
    for (const expiresAt of [null, day(30), day(20), day(10), day(5), day(20), addMilliseconds(NOW, 1)]) {
      await give(user, { expiresAt });
    }
    await revoked(user);
    await revoked(user, { expiresAt: day(5) });
    await give(user, { kind: 'sign-in', name: 'Sign-in', expiresAt: day(25) });
    const rotated = await give(user);
    await give(user, { replaces: { tokenId: rotated.id, graceMs: DAY } });
    const unrotated = await give(user, { expiresAt: day(50) });
    await revoked(user, { replaces: { tokenId: unrotated.id, graceMs: DAY } });
    await give(user, { replacedAt: day(9), expiresAt: day(11) });
    await give(user, { replacedAt: day(8), expiresAt: day(9) });
    await give(user, { createdAt: day(7) });
  }
  const busy = await give(ada, { name: 'busy', scopes: ['me:read', 'orgs:read'] });
  await give(bo, { replaces: { tokenId: busy.id, graceMs: 0 } });
  store.usage.used(busy.id, day(5));
  store.usage.refused(busy.id, day(6), 'insufficient_scope');
  for (const days of [3, 7, 9]) store.usage.used((await give(bo)).id, day(days));
  await store.usage.flush();
  await store.users.disable(gone.id, aRevocation(), anEvent());
  await store.accounts.suspend(cy.accountId, START, anEvent());

  const entries: TokenDetails[] = [];
  for (const { id } of tokens.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    entries.push((await store.tokens.find(id)) as TokenDetails);
  }
  const accepted = (entry: TokenDetails) => isAcceptedIn(tokenState(entry, NOW));
  return {
    accountId: ada.accountId,
    entries,
    filters: [
      [{ accountId: ada.accountId }, (token) => token.accountId === ada.accountId],
      [{ userId: ada.id }, (token) => token.userId === ada.id],
      [
        { creatorInactive: true },
        ({ user, account }) => user.disabledAt !== null || account.suspendedAt !== null,
      ],
      [{ kind: 'api' }, (token) => token.kind === 'api'],
      [{ kind: 'sign-in' }, (token) => token.kind === 'sign-in'],
      [{ live: true }, (token) => isLive(token, NOW)],
      [{ live: false }, (token) => !isLive(token, NOW)],
      [{ name: 'busy' }, (token) => token.name === 'busy'],
      [{ keyId: key.id }, (token) => token.keyId === key.id],
      [{ scope: 'me:read' }, (token) => token.scopes.includes('me:read')],
      [
        { refusedSinceUse: true },
        (entry) => accepted(entry) && (entry.usage.lastRefusal?.at ?? 0) > (entry.usage.lastUsedAt ?? 0),
      ],
      ...TOKEN_STATES.map(
        (state) => [{ state }, (entry: TokenDetails) => tokenState(entry, NOW) === state] as const,
      ),
      [
        { unusedSince: day(7) },
        (entry) => accepted(entry) && entry.createdAt < day(7) && (entry.usage.lastUsedAt ?? START) < day(7),
      ],
      [{ neverExpiring: true }, (entry) => accepted(entry) && entry.expiresAt === null],
      [{ expiringBefore: day(20) }, (entry) => accepted(entry) && (entry.expiresAt ?? day(20)) < day(20)],
    ],
  };
}

/** Creates a key that replaces the format's active one. */
async function givenNewKey(store: RecordedRepositories): Promise<SigningKey> {
  const key = aSigningKey();
  await store.signingKeys.insert(key, anEvent());
  await store.signingKeys.activate(key.id, START, anEvent());
  return key;
}
