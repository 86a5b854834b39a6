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

  async function opened() {
    const store = await openWithTokens(open, 1);
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
      usage.used(id, at(1), '10.0.0.1', orders);
      usage.used(id, at(2), '2001:db8::7', stock);
      usage.used(id, at(3), undefined, orders);
      await usage.flush();
      const stored = await usageOf();
      expect(stored).toMatchObject({ lastUsedAt: at(3), lastUsedFrom: null });
      expect(stored.usedAt).toEqual([
        { service: orders, lastAt: at(3), from: null },
        { service: stock, lastAt: at(2), from: '2001:db8::/64' },
      ]);
    });

    test('a use at no service changes none of them', async () => {
      const { usage, id, orders, usageOf } = await opened();
      usage.used(id, at(1), '10.0.0.1', orders);
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
        usage.used(id, at(5), '10.0.0.5', orders);
        if (flushes) await usage.flush();
        usage.used(id, at(4), '10.0.0.4', orders);
        await usage.flush();
        expect((await usageOf()).usedAt).toEqual([{ service: orders, lastAt: at(5), from: '10.0.0.5' }]);
      },
    );

    test('uses of unknown tokens and at unknown services are left out, and others are stored', async () => {
      const { usage, id, orders, usageOf } = await opened();
      usage.used(aTokenId(), at(1), undefined, orders);
      usage.used(id, at(1), undefined, 'never-created' as ServiceName);
      usage.used(id, at(1), undefined, orders);
      usage.usedCredential('01999999-0000-7000-a000-999999999999' as CredentialId, at(1));
      await usage.flush();
      expect((await usageOf()).usedAt.map(({ service }) => service)).toContain(orders);
    });

    test('their addresses are forgotten with the others, and their times stay', async () => {
      const { usage, tokens, id, orders, usageOf } = await opened();
      usage.used(id, at(1), '10.0.0.1', orders);
      await usage.flush();
      const forget = (before: Instant) => tokens.forgetAddresses({ before, limit: 10 });
      expect(await forget(at(2))).toBe(0);
      expect(await forget(LAST_INSTANT)).toBe(1);
      expect((await usageOf()).usedAt).toEqual([{ service: orders, lastAt: at(1), from: null }]);
      expect(await forget(LAST_INSTANT)).toBe(0);
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
