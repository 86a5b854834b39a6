import { describe, expect, test } from 'vitest';
import type { CredentialId, ServiceName } from '../../src/services/index.ts';
import { addMilliseconds, type Instant, LAST_INSTANT } from '../../src/time/index.ts';
import { aTokenId, START } from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { aCredential, givenService } from '../service-fixtures.ts';
import { openWithTokens } from './open-with-tokens.ts';

/** The part of the contracts of UsageRecorder and TokenRepository about uses of tokens at services, and of credentials. */
export function usageAtServicesContract(name: string, open: OpenRepositories<RecordedRepositories>): void {
  const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);

  async function opened(tokenCount = 1) {
    const store = await openWithTokens(open, tokenCount);
    const [orders, stock] = [await givenService(store), await givenService(store)];
    return {
      ...store,
      orders: orders.name,
      stock: stock.name,
      usageOf: async () => store.tokens.findUsage(store.id),
    };
  }

  describe(`${name} keeps the contract of uses at services`, () => {
    test('the last use at each service is stored, the last one first, and counts as a use of the token', async () => {
      const { usage, id, orders, stock, usageOf } = await opened();
      usage.used(id, at(1), undefined, { name: orders, from: '10.0.0.1' });
      usage.used(id, at(2), undefined, { name: stock, from: '2001:db8::7' });
      usage.used(id, at(3), undefined, { name: orders });
      await usage.flush();
      const stored = await usageOf();
      expect(stored).toMatchObject({ lastUsedAt: at(3), lastUsedFrom: null });
      expect(stored.usedAt).toMatchObject([
        { service: orders, lastAt: at(3), from: null },
        { service: stock, lastAt: at(2), from: '2001:db8::/64' },
      ]);
    });

    test('an address that a service reports is not among those that Gatehouse saw', async () => {
      const { usage, id, orders, usageOf } = await opened();
      usage.used(id, at(1), '10.0.0.1');
      usage.used(id, at(2), undefined, { name: orders, from: '203.0.113.7' });
      usage.used(id, at(3), '10.0.0.3', { name: orders, from: '10.0.0.3' });
      await usage.flush();
      const { usedFrom, usedAt } = await usageOf();
      expect(usedFrom.map(({ address }) => address)).toEqual(['10.0.0.3', '10.0.0.1']);
      expect(usedAt).toMatchObject([{ service: orders, lastAt: at(3), from: '10.0.0.3' }]);
    });

    test('a use at no service changes none of them', async () => {
      const { usage, id, orders, usageOf } = await opened();
      usage.used(id, at(1), undefined, { name: orders, from: '10.0.0.1' });
      await usage.flush();
      usage.used(id, at(2), '10.0.0.2');
      await usage.flush();
      expect(await usageOf()).toMatchObject({
        lastUsedAt: at(2),
        usedAt: [{ service: orders, lastAt: at(1), from: '10.0.0.1' }],
      });
    });

    test.each([true, false])(
      'no use is replaced by an earlier one (stored in between: %j)',
      async (flushes) => {
        const { usage, id, orders, usageOf } = await opened();
        usage.used(id, at(5), undefined, { name: orders, from: '10.0.0.5' });
        if (flushes) await usage.flush();
        usage.used(id, at(4), undefined, { name: orders, from: '10.0.0.4' });
        await usage.flush();
        expect((await usageOf()).usedAt).toMatchObject([
          { service: orders, lastAt: at(5), from: '10.0.0.5' },
        ]);
      },
    );

    test('uses of unknown tokens and at unknown services are left out, and others are stored', async () => {
      const { usage, id, orders, usageOf } = await opened();
      usage.used(aTokenId(), at(1), undefined, { name: orders });
      usage.used(id, at(1), undefined, { name: 'never-created' as ServiceName });
      usage.used(id, at(1), undefined, { name: orders });
      usage.usedCredential('01999999-0000-7000-a000-999999999999' as CredentialId, at(1));
      await usage.flush();
      expect((await usageOf()).usedAt.map(({ service }) => service)).toContain(orders);
    });

    test('their addresses are forgotten with the others, and their times stay', async () => {
      const { usage, tokens, id, orders, usageOf } = await opened();
      usage.used(id, at(1), undefined, { name: orders, from: '10.0.0.1' });
      await usage.flush();
      const forget = (before: Instant) => tokens.forgetAddresses({ before, limit: 10 });
      expect(await forget(at(2))).toBe(0);
      expect(await forget(LAST_INSTANT)).toBe(1);
      expect((await usageOf()).usedAt).toMatchObject([{ service: orders, lastAt: at(1), from: null }]);
      expect(await forget(LAST_INSTANT)).toBe(0);
    });

    test('their addresses are forgotten in batches, at all services of a token', async () => {
      const { usage, tokens, ids, orders, stock } = await opened(3);
      for (const id of ids)
        for (const name of [orders, stock]) usage.used(id, at(1), undefined, { name, from: '10.0.0.1' });
      await usage.flush();
      const forget = () => tokens.forgetAddresses({ before: LAST_INSTANT, limit: 2 });
      expect([await forget(), await forget(), await forget()]).toEqual([2, 1, 0]);
      for (const id of ids)
        expect((await tokens.findUsage(id)).usedAt.map(({ from }) => from)).toEqual([null, null]);
    });

    test('the last use of a credential is stored to the minute, and never goes back', async () => {
      const { usage, services, ...store } = await opened();
      const [used, unused] = [aCredential(), aCredential()];
      await givenService({ services, ...store }, { credentials: [used, unused] });
      const usedAt = async () => (await services.findCredentialUses([used.id, unused.id])).get(used.id);
      usage.usedCredential(used.id, at(100));
      await usage.flush();
      expect(await usedAt()).toBe(at(100));
      usage.usedCredential(used.id, at(40));
      await usage.flush();
      expect(await usedAt()).toBe(at(100));
      usage.usedCredential(used.id, at(160));
      await usage.flush();
      expect(await usedAt()).toBe(at(160));
      expect((await services.findCredentialUses([unused.id])).size).toBe(0);
    });
  });
}
