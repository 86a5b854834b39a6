import { describe, expect, test } from 'vitest';
import type { UsageReport } from '../../src/services/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import { isRefusedSinceUse, type TokenId } from '../../src/tokens/index.ts';
import { aTokenId, givenAdmin, givenSuccessor, givenToken, START } from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { givenService } from '../service-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openWithTokens } from './open-with-tokens.ts';

/** The contract of every UsageReports. */
export function usageReportsContract(name: string, open: OpenRepositories<RecordedRepositories>): void {
  const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);

  async function opened(tokens = 1) {
    const store = await openWithTokens(open, tokens);
    const [orders, stock] = [await givenService(store), await givenService(store)];
    const { id, usageReports } = store;
    const report = (parts: Partial<UsageReport>, service = orders.name) =>
      usageReports.store(service, { uses: [], refusals: [], ...parts });
    return {
      ...store,
      orders: orders.name,
      stock: stock.name,
      report,
      reportUse: (seconds: number, from?: string, token: TokenId = id) =>
        report({ uses: [{ token, count: 1, lastAt: at(seconds), from }] }),
      reportRefusal: (seconds: number) =>
        report({ refusals: [{ token: id, count: 1, lastAt: at(seconds), reason: 'insufficient_scope' }] }),
      usageOf: (token = id) => store.tokens.findUsage(token),
    };
  }

  describe(`${name} keeps the contract of UsageReports`, () => {
    test('the first use of a token at a service is found, if the token was used there', async () => {
      const { usage, usageReports, ids, orders, stock } = await opened(3);
      const [twice, elsewhere, unused] = ids as [TokenId, TokenId, TokenId];
      usage.used(twice, at(2), undefined, { name: orders });
      await usage.flush();
      usage.used(twice, at(3), undefined, { name: orders });
      usage.used(elsewhere, at(1), undefined, { name: stock });
      usage.used(unused, at(1));
      await usage.flush();
      const found = await usageReports.findFirstUses(orders, [...ids, aTokenId()]);
      expect([...found]).toEqual([[twice, at(2)]]);
      expect([...(await usageReports.findFirstUses(orders, []))]).toEqual([]);
    });

    test.each([true, false])(
      'an earlier use that is recorded later is the first use (stored in between: %j)',
      async (flushes) => {
        const { usage, usageReports, id, orders, usageOf } = await opened();
        usage.used(id, at(5), undefined, { name: orders, from: '10.0.0.5' });
        if (flushes) await usage.flush();
        usage.used(id, at(4), undefined, { name: orders, from: '10.0.0.4' });
        await usage.flush();
        expect((await usageReports.findFirstUses(orders, [id])).get(id)).toBe(at(4));
        expect((await usageOf()).usedAt).toMatchObject([{ lastAt: at(5), from: '10.0.0.5' }]);
      },
    );

    test('a reported use is the last use, and is named as reported by the service', async () => {
      const { usage, id, orders, reportUse, usageOf } = await opened();
      usage.used(id, at(1), undefined, { name: orders, from: '10.0.0.1' });
      await usage.flush();
      const before = await usageOf();
      expect(before.usedAt).toEqual([
        { service: orders, lastAt: at(1), from: '10.0.0.1', isReported: false },
      ]);
      await reportUse(3, '2001:db8::7');
      const after = await usageOf();
      expect(after).toMatchObject({
        lastUsedAt: at(3),
        lastUsedFrom: null,
        usedAt: [{ service: orders, lastAt: at(3), from: '2001:db8::/64', isReported: true }],
      });
      expect(after).toSatisfy(isDeeplyFrozen);
      usage.used(id, at(4), undefined, { name: orders });
      await usage.flush();
      expect((await usageOf()).usedAt).toEqual([
        { service: orders, lastAt: at(4), from: null, isReported: false },
      ]);
    });

    test('of a use that was reported and one that was not, at the same time, the latter is named', async () => {
      const { usage, id, orders, reportUse, usageOf } = await opened();
      await reportUse(1);
      usage.used(id, at(1), undefined, { name: orders, from: '10.0.0.1' });
      await usage.flush();
      await reportUse(1, '10.0.0.2');
      expect((await usageOf()).usedAt).toMatchObject([{ from: '10.0.0.1', isReported: false }]);
    });

    test('earlier reports replace nothing', async () => {
      const { usage, id, orders, reportUse, reportRefusal, usageOf } = await opened();
      usage.used(id, at(5), undefined, { name: orders, from: '10.0.0.5' });
      usage.refused(id, at(6), 'expired', '10.0.0.6');
      await usage.flush();
      await reportUse(2);
      await reportRefusal(3);
      expect(await usageOf()).toMatchObject({
        lastUsedAt: at(5),
        lastRefusal: { at: at(6), reason: 'expired', from: '10.0.0.6' },
        usedAt: [{ service: orders, lastAt: at(5), from: '10.0.0.5', isReported: false }],
      });
    });

    test('of several uses of a token at a service, the last one is stored', async () => {
      const { id, report, usageOf } = await opened();
      await report({
        uses: [
          { token: id, count: 3, lastAt: at(2), from: '10.0.0.2' },
          { token: id, count: 4, lastAt: at(1), from: '10.0.0.1' },
        ],
        refusals: [{ token: id, count: 6, lastAt: at(3), reason: 'expired' }],
      });
      expect(await usageOf()).toMatchObject({
        lastUsedAt: at(2),
        usedAt: [{ lastAt: at(2), from: '10.0.0.2' }],
        lastRefusal: { at: at(3), reason: 'expired' },
      });
    });

    test('reported addresses push no addresses out that Gatehouse saw', async () => {
      const { usage, id, report, usageOf } = await opened();
      usage.used(id, at(1), '192.0.2.1');
      usage.refused(id, at(1), 'expired', '192.0.2.2');
      await usage.flush();
      const before = await usageOf();
      await report({
        uses: [2, 3, 4, 5, 6, 7].map((last) => ({
          token: id,
          count: 100,
          lastAt: at(last),
          from: `10.0.0.${last}`,
        })),
        refusals: [{ token: id, count: 100, lastAt: at(8), reason: 'insufficient_scope' }],
      });
      const { usedFrom, refusedFrom, usedAt, lastUsedFrom, lastRefusal } = await usageOf();
      expect({ usedFrom, refusedFrom }).toEqual({
        usedFrom: before.usedFrom,
        refusedFrom: before.refusedFrom,
      });
      expect([lastUsedFrom, lastRefusal?.from]).toEqual([null, null]);
      expect(usedAt).toMatchObject([{ from: '10.0.0.7' }]);
    });

    test('a refusal is no use, and is named as reported by the service until another one', async () => {
      const { usage, id, orders, tokens, reportRefusal, usageOf } = await opened();
      usage.refused(id, at(2), 'expired', '10.0.0.2');
      await usage.flush();
      await reportRefusal(3);
      const lastRefusal = { at: at(3), reason: 'insufficient_scope', from: null, reportedBy: orders };
      expect(await usageOf()).toMatchObject({ lastUsedAt: null, usedAt: [], lastRefusal });
      expect((await tokens.find(id))?.usage.lastRefusal).toEqual(lastRefusal);
      usage.refused(id, at(4), 'expired', '10.0.0.4');
      await usage.flush();
      expect((await usageOf()).lastRefusal).toEqual({ at: at(4), reason: 'expired', from: '10.0.0.4' });
      await reportRefusal(3);
      expect((await usageOf()).lastRefusal).toEqual({ at: at(4), reason: 'expired', from: '10.0.0.4' });
    });

    test('a reported use ends no refusal since the last use, and one that is not reported does', async () => {
      const { usage, id, orders, reportUse, usageOf } = await opened();
      usage.used(id, at(1), undefined, { name: orders });
      usage.refused(id, at(3), 'insufficient_scope');
      await usage.flush();
      for (const [seconds, counted] of [
        [2, 2],
        [5, 3],
        [9, 3],
      ] as const) {
        await reportUse(seconds);
        const stored = await usageOf();
        expect([stored.lastUsedAt, isRefusedSinceUse(stored)]).toEqual([at(counted), true]);
        expect(stored.usedAt).toMatchObject([{ lastAt: at(seconds), isReported: true }]);
      }
      usage.used(id, at(6), undefined, { name: orders });
      await usage.flush();
      const used = await usageOf();
      expect([used.lastUsedAt, isRefusedSinceUse(used)]).toEqual([at(6), false]);
      await reportUse(10);
      expect(await usageOf()).toMatchObject({ lastUsedAt: at(10) });
    });

    test('a reported use ends no refusal of a token that was never used, or of the same report', async () => {
      const { ids, report, usageOf } = await opened(2);
      const [refused, both] = ids as [TokenId, TokenId];
      const refusal = { count: 1, lastAt: at(3), reason: 'insufficient_scope' } as const;
      await report({ refusals: [{ token: refused, ...refusal }] });
      await report({
        uses: [
          { token: refused, count: 1, lastAt: at(4) },
          { token: both, count: 1, lastAt: at(4) },
        ],
        refusals: [{ token: both, ...refusal }],
      });
      for (const token of [refused, both]) {
        const stored = await usageOf(token);
        expect([stored.lastUsedAt, isRefusedSinceUse(stored)]).toEqual([at(3), true]);
      }
    });

    test('the reported use of a successor does not start the grace period of its predecessor', async () => {
      const { usage, orders, reportUse, usageOf, ...store } = await opened();
      const predecessor = await givenToken(store, await givenAdmin(store));
      const successor = await givenSuccessor(store, predecessor, { createdAt: at(1) });
      await reportUse(2, undefined, successor.id);
      expect(await usageOf(successor.id)).toMatchObject({ lastUsedAt: at(2) });
      const expiryOf = async () => {
        const { replacedAt, expiresAt } = (await store.tokens.findRecord(predecessor.id)) ?? expect.fail();
        return [replacedAt, expiresAt];
      };
      expect(await expiryOf()).toEqual([null, predecessor.expiresAt]);
      usage.used(successor.id, at(3), undefined, { name: orders });
      await usage.flush();
      expect((await expiryOf())[0]).toBe(at(3));
    });

    test('unknown tokens are skipped, and others are stored', async () => {
      const { id, report, usageOf } = await opened();
      const entry = { count: 1, lastAt: at(1) };
      await report({
        uses: [
          { token: aTokenId(), ...entry },
          { token: id, ...entry },
        ],
        refusals: [{ token: aTokenId(), reason: 'expired', ...entry }],
      });
      expect(await usageOf()).toMatchObject({ lastUsedAt: at(1) });
    });
  });
}
