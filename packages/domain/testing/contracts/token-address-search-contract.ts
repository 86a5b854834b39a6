import { beforeAll, describe, expect, test } from 'vitest';
import { addMilliseconds, LAST_INSTANT } from '../../src/time/index.ts';
import type { AccountTokenQuery, Token, TokenDetails } from '../../src/tokens/index.ts';
import { cursorOf, TOKEN_ORDERS } from '../../src/tokens/index.ts';
import type { User } from '../../src/users/index.ts';
import { anEvent, aRevocation, givenAccount, givenToken, givenUser, START } from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { openRepositories } from './open-repositories.ts';

/** The part of the TokenRepository contract about a search of an account's tokens by an address of their use. */
export function tokenAddressSearchContract(name: string, open: OpenRepositories<RecordedRepositories>): void {
  describe(`${name} keeps the part of the contract of TokenRepository about a search by address`, () => {
    const store = openRepositories(open);
    const at = (second: number) => addMilliseconds(START, 1000 * second);
    let ada: User;
    let eve: User;

    // With a limit below their number, an adapter may find tokens in another way.
    const SIZES = [
      ['a small account', 1000],
      ['a large account', 3],
      ['an account of which most tokens are found', 1],
    ] as const;

    const list = (search: string, parts: Partial<AccountTokenQuery> = {}) =>
      store().tokens.listOfAccount({
        accountId: ada.accountId,
        section: 'active',
        order: 'newest',
        limit: 1000,
        countLimit: 1000,
        now: at(100),
        search,
        ...parts,
      });
    const names = ({ tokens }: { readonly tokens: readonly TokenDetails[] }) =>
      tokens.map((token) => token.name).toSorted();
    /** A token that was used from these addresses, one second after the other, and refused from others. */
    const give = async (
      text: string,
      used: readonly string[],
      refused: readonly string[] = [],
      parts: Partial<Token> = {},
      user = ada,
    ) => {
      const token = await givenToken(store(), user, { name: text, ...parts });
      for (const [second, address] of used.entries()) store().usage.used(token.id, at(second), address);
      for (const [second, address] of refused.entries()) {
        store().usage.refused(token.id, at(second), 'insufficient_scope', address);
      }
      await store().usage.flush();
      return token;
    };

    beforeAll(async () => {
      ada = await givenUser(store(), (await givenAccount(store())).id, { email: 'ada@search.example' });
      eve = await givenUser(store(), (await givenAccount(store())).id, { email: 'eve@search.example' });
      await give('ERP', ['203.0.113.9', '198.51.100.1']);
      await give('near', ['203.0.113.90']);
      await give('refused', [], ['203.0.113.9', '203.0.11.1']);
      await give('both', ['203.0.113.9'], ['203.0.113.9']);
      await give('six', ['2001:db8:1:2::1', '::ffff:192.0.2.7']);
      await give('short', ['2001:db8::5']);
      await give('203.0.113.9 by name', ['10.0.0.1']);
      await give('never', []);
      const ended = await give('ended', ['203.0.113.9']);
      await store().tokens.revoke(ended.id, aRevocation(), anEvent());
      await give('Sign-in', ['203.0.113.9'], [], { kind: 'sign-in', expiresAt: at(1000) });
      await give('of Eve', ['203.0.113.9', '2001:db8:1:2::1'], ['192.0.2.8'], {}, eve);
      for (let number = 1; number <= 12; number += 1) await give(`pod ${number}`, ['192.0.2.7']);
    });
    const PODS = Array.from({ length: 12 }, (_, index) => `pod ${index + 1}`).toSorted();

    describe.each(SIZES)('in %s', (_, countLimit) => {
      test.each([
        ['203.0.113.9', ['203.0.113.9 by name', 'ERP', 'both', 'refused']],
        ['203.0.113.', ['203.0.113.9 by name', 'ERP', 'both', 'near', 'refused']],
        ['203.0.11', ['203.0.113.9 by name', 'ERP', 'both', 'near', 'refused']],
        ['203.0.113.91', []],
        ['203.0.11.', ['refused']],
        ['198.51.100.1', ['ERP']],
        ['192.0.2.8', []],
        ['192.0.2.7', [...PODS, 'six']],
        ['192.0.2.', [...PODS, 'six']],
        ['::ffff:192.0.2.7', [...PODS, 'six']],
        ['2001:db8:1:2::1', ['six']],
        ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', ['six']],
        ['2001:db8:1:2::/64', ['six']],
        ['2001:db8:1:', ['six']],
        ['2001:db8:1:3::', []],
        ['2001:DB8:', ['short', 'six']],
        ['2001:db8::', ['short']],
        ['2001:db8:0:0:', ['short']],
        ['2001:db9:', []],
        ['203.0.113.0/24', ['ERP', 'both', 'near', 'refused']],
        ['203.0.112.0/20', ['ERP', 'both', 'near', 'refused']],
        ['203.0.113.8/30', ['ERP', 'both', 'refused']],
        ['192.0.0.0/9', [...PODS, 'six']],
        ['2001:db8::/32', ['short', 'six']],
        ['2001:db8:1::/56', ['six']],
        ['2001:db8:2::/48', []],
      ])('%s finds the tokens that were used or refused there: %j', async (search, wanted) => {
        const page = await list(search, { countLimit });
        expect(names(page)).toEqual(wanted);
        expect(page.total).toBe(Math.min(wanted.length, countLimit));
        expect(page.more).toBe(false);
      });

      test('the ended tokens of an address are among the ended ones', async () => {
        for (const search of ['203.0.113.9', '203.0.113.']) {
          expect(names(await list(search, { section: 'ended', countLimit }))).toEqual(['ended']);
        }
      });

      test('another account’s tokens and addresses are not found', async () => {
        const { accountId } = eve;
        expect(names(await list('203.0.113.9', { accountId, countLimit }))).toEqual(['of Eve']);
        for (const search of ['198.51.100.1', '203.0.113.90', '192.0.2.7']) {
          expect(names(await list(search, { accountId, countLimit }))).toEqual([]);
        }
      });

      test('an address and a filter are combined with AND', async () => {
        expect(names(await list('203.0.113.9', { countLimit, refusedSinceUse: true }))).toEqual([
          'both',
          'refused',
        ]);
        expect(
          names(await list('203.0.113.9', { countLimit, scope: 'orgs:read', state: 'revoked' })),
        ).toEqual([]);
      });

      test.each(TOKEN_ORDERS)('pages by %s lead through what is found', async (order) => {
        for (const search of ['192.0.2.7', '203.0.113.']) {
          const all = await list(search, { order, countLimit });
          const found: TokenDetails[] = [];
          for (let more = true; more; ) {
            const last = found.at(-1);
            const cursor = last && { after: cursorOf(order, last) };
            const page = await list(search, { order, countLimit, limit: 2, cursor });
            found.push(...page.tokens);
            more = page.more;
            expect(found.length).toBeLessThanOrEqual(all.tokens.length);
            expect(page.total).toBe(all.total);
          }
          expect(found.map(({ id }) => id)).toEqual(all.tokens.map(({ id }) => id));
        }
      });

      test('what is found has the addresses that the search asks for, and no others', async () => {
        const page = await list('203.0.113.', { countLimit });
        const found = new Map(page.tokens.map((token) => [token.name, page.foundAddresses.get(token.id)]));
        const seen = { address: '203.0.113.9', firstAt: at(0), lastAt: at(0), times: 1 };
        const refused = { ...seen, reason: 'insufficient_scope' };
        expect(Object.fromEntries(found)).toEqual({
          '203.0.113.9 by name': undefined,
          ERP: { usedFrom: [seen], refusedFrom: [] },
          both: { usedFrom: [seen], refusedFrom: [refused] },
          near: { usedFrom: [{ ...seen, address: '203.0.113.90' }], refusedFrom: [] },
          refused: { usedFrom: [], refusedFrom: [refused] },
        });
        expect((await list('ERP', { countLimit })).foundAddresses.size).toBe(0);
      });
    });

    test('an address that gave way to newer ones is not found, and those are', async () => {
      const { id } = await give('moving', ['10.1.0.1', '10.1.0.2', '10.1.0.3', '10.1.0.4', '10.1.0.5']);
      const found = async () => {
        const numbers: number[] = [];
        for (let number = 1; number <= 6; number += 1) {
          if (names(await list(`10.1.0.${number}`)).length > 0) numbers.push(number);
        }
        return numbers;
      };
      expect(await found()).toEqual([1, 2, 3, 4, 5]);
      store().usage.used(id, at(50), '10.1.0.2');
      await store().usage.flush();
      expect(await found()).toEqual([1, 2, 3, 4, 5]);
      store().usage.used(id, at(51), '10.1.0.6');
      await store().usage.flush();
      expect(await found()).toEqual([2, 3, 4, 5, 6]);
    });

    test('an address that was forgotten is not found', async () => {
      const DAY_MS = 86_400_000;
      const { id } = await give('old', ['10.2.0.1'], ['10.2.0.2']);
      await give('older', ['10.2.0.1']);
      store().usage.used(id, at(10 * 86_400), '10.2.0.3');
      await store().usage.flush();
      expect(names(await list('10.2.'))).toEqual(['old', 'older']);
      await store().tokens.forgetAddresses({ before: addMilliseconds(START, DAY_MS), limit: 1000 });
      expect(names(await list('10.2.'))).toEqual(['old']);
      expect([...(await list('10.2.')).foundAddresses.values()]).toMatchObject([
        { usedFrom: [{ address: '10.2.0.3' }], refusedFrom: [] },
      ]);
      for (const search of ['10.2.0.1', '10.2.0.2', '203.0.113.9']) {
        expect((await list(search)).foundAddresses.size).toBe(0);
      }
      await store().tokens.forgetAddresses({ before: LAST_INSTANT, limit: 1000 });
      expect(names(await list('10.2.'))).toEqual([]);
    });
  });
}
