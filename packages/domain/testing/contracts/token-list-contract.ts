import { beforeAll, describe, expect, test } from 'vitest';
import type { AccountTokenPage, AccountTokenQuery, Token, TokenDetails } from '../../src/tokens/index.ts';
import {
  cursorOf,
  isAcceptedIn,
  MAX_SEARCH_WORDS,
  TOKEN_ORDERS,
  TOKEN_SECTIONS,
  tokenState,
} from '../../src/tokens/index.ts';
import { anEvent, aRevocation, aTokenId, givenAccount, givenToken, givenUser } from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { combinedFilters } from './combined-filters.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openRepositories } from './open-repositories.ts';
import {
  DAY,
  day,
  isRefusedSinceUse,
  isUnused,
  NOW,
  type Population,
  populate,
} from './token-list-population.ts';

type Section = AccountTokenQuery['section'];
type Filter = Partial<AccountTokenQuery>;

/** The part of the TokenRepository contract about pages of an account's tokens. */
export function tokenListContract(name: string, open: OpenRepositories<RecordedRepositories>): void {
  describe(`${name} keeps the part of the contract of TokenRepository about an account’s pages`, () => {
    const store = openRepositories(open);
    let given: Population;
    beforeAll(async () => {
      given = await populate(store());
    });

    const list = (parts: Filter = {}) =>
      store().tokens.listOfAccount({
        accountId: given.ada.accountId,
        section: 'active',
        order: 'newest',
        limit: 1000,
        countLimit: 1000,
        now: NOW,
        ...parts,
      });
    const names = ({ tokens }: Pick<AccountTokenPage, 'tokens'>) => tokens.map((token) => token.name);
    const inSection = (section: Section) => (token: TokenDetails) =>
      isAcceptedIn(tokenState(token, NOW)) === (section === 'active');

    // With a limit below their number, an adapter reads sections as those of large accounts.
    const SIZES = [
      ['a small account', 1000],
      ['a large account', 3],
    ] as const;

    test('active and ended tokens are apart, and counted up to a limit', async () => {
      for (const countLimit of [1000, 8, 3]) {
        const pages = await Promise.all(TOKEN_SECTIONS.map((section) => list({ section, countLimit })));
        for (const [index, section] of TOKEN_SECTIONS.entries()) {
          const wanted = given.entries.filter(inSection(section));
          const page = pages[index];
          expect(names({ tokens: page?.tokens.toReversed() ?? [] }), section).toEqual(
            names({ tokens: wanted }),
          );
          expect(page?.total).toBe(Math.min(wanted.length, countLimit));
          expect(page?.counts[section]).toBe(Math.min(wanted.length, countLimit));
          expect(page?.more).toBe(false);
        }
        expect(pages[0]?.counts).toEqual(pages[1]?.counts);
      }
    });

    test('a token is listed with all its details, frozen', async () => {
      const { tokens } = await list();
      for (const token of tokens) expect(token).toEqual(await store().tokens.find(token.id));
      expect(tokens).toSatisfy((all: readonly unknown[]) => all.every(isDeeplyFrozen));
    });

    test.each(SIZES)(
      'each filter selects its tokens, and two are combined with AND, in %s',
      async (_, countLimit) => {
        for (const section of TOKEN_SECTIONS) {
          for (const [filter, holds] of combinedFilters(given.filters)) {
            const wanted = given.entries.filter(inSection(section)).filter(holds);
            const page = await list({ ...filter, section, countLimit });
            const label = `${section} ${JSON.stringify(filter)}`;
            expect(names(page).toSorted(), label).toEqual(names({ tokens: wanted }).toSorted());
            expect(page.total, label).toBe(Math.min(wanted.length, countLimit));
          }
        }
      },
    );

    test('each filter selects some tokens, but not all', () => {
      for (const [filter, holds] of given.filters) {
        const { length } = given.entries.filter(holds);
        expect(length, JSON.stringify(filter)).toBeGreaterThan(0);
        expect(length, JSON.stringify(filter)).toBeLessThan(given.entries.length);
      }
    });

    test.each(SIZES)('only the first words of a search count, in %s', async (_, countLimit) => {
      const { id: accountId } = await givenAccount(store());
      const words = Array.from({ length: MAX_SEARCH_WORDS }, (_, index) => `w${index}`);
      for (const name of [words.join(' '), words.slice(1).join(' '), 'Other', 'Another'])
        await givenToken(store(), await givenUser(store(), accountId), { name });
      const search = [...words, ...words, 'missing', 'absent'].join(' ');
      expect(names(await list({ accountId, search, countLimit }))).toEqual([words.join(' ')]);
    });

    test.each(SIZES)('no character of a search is special, in %s', async (_, countLimit) => {
      for (const search of ['%', '_', '\\', 'x%', '*', '.', "'"]) {
        const found = names(await list({ search, countLimit }));
        expect(found, search).toEqual(search === '%' ? ['%_\\'] : []);
      }
      expect(names(await list({ search: '%_\\', countLimit }))).toEqual(['%_\\']);
    });

    describe.each(SIZES)('in %s', (_, countLimit) => {
      test.each(TOKEN_ORDERS)('tokens are in the order %s', async (order) => {
        const wanted = given.entries.filter(inSection('active')).toSorted((one, other) => {
          const [a, b] = [one, other].map((token) => `${keyOf(order, token)} ${token.id}`) as [
            string,
            string,
          ];
          const sign = order === 'newest' || order === 'most_recently_used' ? -1 : 1;
          return a < b ? -sign : sign;
        });
        expect(names(await list({ order, countLimit }))).toEqual(names({ tokens: wanted }));
      });

      test.each(TOKEN_ORDERS.flatMap((order) => TOKEN_SECTIONS.map((section) => [order, section] as const)))(
        'pages by %s of the %s tokens lead forward and back without gap or repetition',
        async (order, section) => {
          const base = { order, section, countLimit };
          const all = await list(base);
          for (const limit of [1, 2, 3, all.tokens.length]) {
            const forward: TokenDetails[] = [];
            let page = await list({ ...base, limit });
            forward.push(...page.tokens);
            while (page.more) {
              const last = forward.at(-1) as TokenDetails;
              page = await list({ ...base, limit, cursor: { after: cursorOf(order, last) } });
              forward.push(...page.tokens);
              expect(forward.length).toBeLessThanOrEqual(all.tokens.length);
              expect(page.total).toBe(all.total);
            }
            expect(names({ tokens: forward })).toEqual(names(all));

            const backward = [...page.tokens.slice(-1)];
            for (let more = forward.length > 1; more; ) {
              const first = backward[0] as TokenDetails;
              page = await list({ ...base, limit, cursor: { before: cursorOf(order, first) } });
              expect(page.tokens.length).toBeLessThanOrEqual(limit);
              backward.unshift(...page.tokens);
              expect(backward.length).toBeLessThanOrEqual(all.tokens.length);
              more = page.more;
            }
            expect(names({ tokens: backward })).toEqual(names(all));
          }
          const last = all.tokens.at(-1) as TokenDetails;
          const beyond = await list({ ...base, cursor: { after: cursorOf(order, last) } });
          expect(beyond).toMatchObject({ tokens: [], more: false, total: all.total });
        },
      );

      test.each(TOKEN_ORDERS)(
        'a cursor by %s is a position, even of a token that is not there',
        async (order) => {
          const all = await list({ order, countLimit });
          const third = all.tokens[2] as TokenDetails;
          const missing = cursorOf(order, { ...third, id: aTokenId() });
          const after = await list({ order, countLimit, cursor: { after: missing } });
          const before = await list({ order, countLimit, cursor: { before: missing } });
          expect([...names(before), ...names(after)]).toEqual(names(all));
        },
      );
    });

    test('a token that ends while pages are read is missing, and no other is', async () => {
      const user = await givenUser(store(), (await givenAccount(store())).id);
      const tokens: Token[] = [];
      for (let index = 0; index < 4; index += 1) tokens.push(await givenToken(store(), user));
      const { accountId } = user;
      const first = await list({ accountId, limit: 2 });
      for (const token of [tokens[2], tokens[1]]) {
        if (token) await store().tokens.revoke(token.id, aRevocation(), anEvent());
      }
      const cursor = { after: cursorOf('newest', first.tokens[1] as TokenDetails) };
      const rest = await list({ accountId, limit: 2, cursor });
      expect([...names(first), ...names(rest)]).toEqual(
        [tokens[3], tokens[2], tokens[0]].map((token) => token?.name),
      );
    });

    test.each(SIZES)('tokens of a disabled user hide none of the others, in %s', async (_, countLimit) => {
      const { id: accountId } = await givenAccount(store());
      const [gone, user] = [await givenUser(store(), accountId), await givenUser(store(), accountId)];
      for (let index = 0; index < 4; index += 1) await givenToken(store(), gone, { expiresAt: day(101) });
      const { id } = await givenToken(store(), user, { expiresAt: day(110) });
      await store().users.disable(gone.id, aRevocation(), anEvent());
      const page = await list({ accountId, countLimit });
      expect(page.tokens.map((token) => token.id)).toEqual([id]);
      expect(page.counts).toEqual({ active: 1, ended: Math.min(4, countLimit) });
      const { expiring } = await store().tokens.findNeedingAttention({
        accountId,
        expiringBefore: day(114),
        unusedSince: day(10),
        countLimit,
        limit: 2,
        now: NOW,
      });
      expect(expiring).toMatchObject({ count: 1, first: [{ id }] });
    });

    test.each(SIZES)(
      'what needs attention is counted and named, the most urgent first, in %s',
      async (_, countLimit) => {
        const find = (accountId = given.ada.accountId) =>
          store().tokens.findNeedingAttention({
            accountId,
            expiringBefore: day(114),
            unusedSince: day(10),
            countLimit,
            limit: 2,
            now: NOW,
          });
        const found = await find();
        const count = (holds: (token: TokenDetails) => boolean) =>
          Math.min(given.entries.filter(inSection('active')).filter(holds).length, countLimit);
        expect(found.expiring).toEqual({
          count: count(({ expiresAt }) => expiresAt !== null && expiresAt < day(114)),
          first: [expect.objectContaining({ name: 'soon' }), expect.objectContaining({ name: 'replaced' })],
        });
        expect(found.unused.count).toBe(count(isUnused));
        expect(found.unused.first.map((token) => token.name)).toEqual(['café', 'Zeta']);
        expect(found.refusedSinceUse).toMatchObject({
          count: count(isRefusedSinceUse),
          first: [{ name: 'refused' }, { name: 'only refused' }],
        });
        expect(found.creatorInactive).toEqual({ count: 0, first: [] });
        const none = { count: 0, first: [] };
        const empty = await givenAccount(store());
        expect(await find(empty.id)).toEqual({
          expiring: none,
          unused: none,
          refusedSinceUse: none,
          overPolicy: none,
          creatorInactive: none,
        });
      },
    );
  });
}

function keyOf(order: AccountTokenQuery['order'], { name, expiresAt, usage }: TokenDetails): string {
  switch (order) {
    case 'newest':
      return '';
    case 'name':
      return name.toLowerCase();
    case 'expiry':
      return String(expiresAt ?? 10 ** 15).padStart(16, '0');
    default:
      return String(Math.floor((usage.lastUsedAt ?? 0) / DAY)).padStart(9, '0');
  }
}
