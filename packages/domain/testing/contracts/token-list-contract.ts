import { beforeAll, describe, expect, test } from 'vitest';
import { addMilliseconds } from '../../src/time/index.ts';
import type { AccountTokenPage, AccountTokenQuery, Token, TokenDetails } from '../../src/tokens/index.ts';
import { cursorOf, isAcceptedIn, TOKEN_ORDERS, TOKEN_SECTIONS, tokenState } from '../../src/tokens/index.ts';
import { emailKey, type User } from '../../src/users/index.ts';
import {
  anEvent,
  aRevocation,
  aSigningKey,
  aTokenId,
  givenAccount,
  givenToken,
  givenUser,
  START,
} from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openRepositories } from './open-repositories.ts';

const DAY = 86_400_000;
const day = (days: number) => addMilliseconds(START, days * DAY);

/** The time of the queries: a hundred days after most tokens were created. */
const NOW = day(100);

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
          for (const [filter, holds] of given.filters) {
            for (const [other, alsoHolds] of [[{}, () => true] as const, ...given.filters]) {
              const both = { ...other, ...filter };
              if (Object.keys(other).some((key) => key in filter)) continue;
              const wanted = given.entries.filter(inSection(section)).filter(holds).filter(alsoHolds);
              const page = await list({ ...both, section, countLimit });
              const label = `${section} ${JSON.stringify(both)}`;
              expect(names(page).toSorted(), label).toEqual(names({ tokens: wanted }).toSorted());
              expect(page.total, label).toBe(Math.min(wanted.length, countLimit));
            }
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

const isUnused = ({ createdAt, usage }: TokenDetails) =>
  createdAt < day(10) && (usage.lastUsedAt ?? START) < day(10);
const isRefusedSinceUse = ({ usage: { lastRefusal, lastUsedAt } }: TokenDetails) =>
  lastRefusal !== null && (lastUsedAt === null || lastRefusal.at >= lastUsedAt);

interface Population {
  readonly ada: User;
  /** The account's API tokens, sorted by id. */
  readonly entries: readonly TokenDetails[];
  /** Filters with one condition each, and the same condition as a function. */
  readonly filters: readonly (readonly [Filter, (entry: TokenDetails) => boolean])[];
}

async function populate(store: RecordedRepositories): Promise<Population> {
  const { id: accountId } = await givenAccount(store);
  const ada = await givenUser(store, accountId, { email: 'Ada@list.example' });
  const bo = await givenUser(store, accountId, { email: 'bo_@list.example' });
  const gone = await givenUser(store, accountId, { email: 'gone@list.example' });
  const eve = await givenUser(store, (await givenAccount(store)).id, { email: 'ada@other.example' });
  const tokens: Token[] = [];
  const give = async (parts: Partial<Token>, user = ada) => {
    const token = await givenToken(store, user, parts);
    if (user !== eve && token.kind === 'api') tokens.push(token);
    return token;
  };
  const revoke = ({ id }: Token) => store.tokens.revoke(id, aRevocation(), anEvent());

  const oldKey = await givenNewKey(store);
  await give({ name: 'ERP old key' });
  await revoke(await give({ name: 'old key and revoked' }));
  await givenNewKey(store);
  await store.signingKeys.retire(oldKey.id, START, aRevocation(), anEvent());

  await give({ name: 'café', scopes: ['me:read'] });
  await give({ name: 'soon', expiresAt: day(101), createdAt: day(50) });
  await give({ name: 'Later', expiresAt: day(110), createdAt: day(50), scopes: ['me:read', 'orgs:read'] });
  await give({ name: 'last', expiresAt: day(114), createdAt: day(50) });
  await give({ name: 'ended', expiresAt: NOW });
  await give({ name: 'erp ended', expiresAt: day(9) });
  await revoke(await give({ name: 'Erp revoked', scopes: ['orgs:read'] }));
  await revoke(await give({ name: 'revoked, too', expiresAt: day(101) }, bo));
  await give({ name: 'ERP of a disabled user' }, gone);
  await give({ name: '%_\\', createdAt: day(50) }, bo);
  await give({ name: 'erp', createdAt: day(50) }, bo);
  await give({ name: 'ERP', createdAt: day(50) });
  await give({ name: 'Sign-in', kind: 'sign-in', expiresAt: day(200) });
  await give({ name: 'ERP of another account' }, eve);
  const rotated = await give({ name: 'rotated', createdAt: day(50) });
  await give({ name: 'successor', createdAt: day(50), replaces: { tokenId: rotated.id, graceMs: DAY } });
  await give({ name: 'replaced', createdAt: day(50), replacedAt: day(99), expiresAt: day(101) });

  const use = async (
    name: string,
    usedAt: number | null,
    refusedAt: number | null,
    parts: Partial<Token> = {},
  ) => {
    const { id } = await give({ name, createdAt: day(0), ...parts });
    if (usedAt !== null) store.usage.used(id, day(usedAt));
    if (refusedAt !== null) store.usage.refused(id, day(refusedAt), 'insufficient_scope');
  };
  await use('Zeta', 9.9, null);
  await use('alpha', 10, null);
  await use('Beta', 10.5, null);
  await use('beta', 99, 98);
  await use('refused for its scope', 97, 97);
  await use('only refused', null, 60, { createdAt: day(50) });
  await use('refused', 60, 70);
  await use('ended and refused', 60, 70, { expiresAt: day(80) });
  await store.usage.flush();
  await store.users.disable(gone.id, aRevocation(), anEvent());

  const entries: TokenDetails[] = [];
  for (const { id } of tokens.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    entries.push((await store.tokens.find(id)) as TokenDetails);
  }
  const begins = (search: string) => (entry: TokenDetails) =>
    [entry.name, entry.user.email, entry.user.name].some((text) => text.toLowerCase().startsWith(search));
  const active = (entry: TokenDetails) => isAcceptedIn(tokenState(entry, NOW));
  return {
    ada,
    entries,
    filters: [
      ...(['active', 'being_replaced', 'key_retired', 'revoked', 'expired'] as const).map(
        (state) => [{ state }, (entry: TokenDetails) => tokenState(entry, NOW) === state] as const,
      ),
      [{ scope: '*' }, ({ scopes }) => scopes.includes('*')],
      [{ scope: 'me:read' }, ({ scopes }) => scopes.includes('me:read')],
      [{ creator: emailKey(bo.email) }, (token) => token.userId === bo.id],
      [{ creatorInactive: true }, ({ user }) => user.disabledAt !== null],
      [{ search: 'ERP' }, begins('erp')],
      [{ search: 'CAFÉ' }, begins('café')],
      [{ search: 'bO_@' }, begins('bo_@')],
      [{ unusedSince: day(10) }, (token) => active(token) && isUnused(token)],
      [{ refusedSinceUse: true }, (token) => active(token) && isRefusedSinceUse(token)],
      [{ neverExpiring: true }, (token) => active(token) && token.expiresAt === null],
      [
        { expiringBefore: day(114) },
        (token) => active(token) && token.expiresAt !== null && token.expiresAt < day(114),
      ],
    ],
  };
}

/** Creates a key that replaces the format's active one. */
async function givenNewKey(store: RecordedRepositories) {
  const key = aSigningKey();
  await store.signingKeys.insert(key, anEvent());
  await store.signingKeys.activate(key.id, START, anEvent());
  return key;
}
