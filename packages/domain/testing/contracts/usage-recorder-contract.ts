import { describe, expect, test } from 'vitest';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import { NEVER_USED } from '../../src/tokens/index.ts';
import { aTokenId, START } from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { openWithTokens } from './open-with-tokens.ts';

/** The contract of every UsageRecorder. */
export function usageRecorderContract(name: string, open: OpenRepositories<RecordedRepositories>): void {
  const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);

  async function opened(tokenCount = 1) {
    const store = await openWithTokens(open, tokenCount);
    return { ...store, usageOf: async () => (await store.tokens.find(store.id))?.usage };
  }

  describe(`${name} keeps the contract of UsageRecorder`, () => {
    test('a token that was never used has no usage', async () => {
      const { usage, usageOf } = await opened();
      await usage.flush();
      expect(await usageOf()).toEqual(NEVER_USED);
    });

    test('a refusal is stored with its reason, beside the last use', async () => {
      const { usage, id, usageOf } = await opened();
      usage.refused(id, at(1), 'expired');
      await usage.flush();
      expect(await usageOf()).toMatchObject({
        lastUsedAt: null,
        lastRefusal: { at: at(1), reason: 'expired' },
      });
      usage.used(id, at(2));
      await usage.flush();
      expect(await usageOf()).toMatchObject({
        lastUsedAt: at(2),
        lastRefusal: { at: at(1), reason: 'expired' },
      });
    });

    test.each([true, false])(
      'no time is replaced by an earlier one (stored in between: %j)',
      async (flushes) => {
        const { usage, id, usageOf } = await opened();
        usage.used(id, at(5));
        usage.refused(id, at(5), 'revoked');
        if (flushes) await usage.flush();
        usage.used(id, at(4));
        usage.refused(id, at(4), 'expired');
        await usage.flush();
        expect(await usageOf()).toMatchObject({
          lastUsedAt: at(5),
          lastRefusal: { at: at(5), reason: 'revoked' },
        });
        usage.used(id, at(6));
        usage.refused(id, at(6), 'expired');
        await usage.flush();
        expect(await usageOf()).toMatchObject({
          lastUsedAt: at(6),
          lastRefusal: { at: at(6), reason: 'expired' },
        });
      },
    );

    test('many tokens are stored at once, each with its own usage', async () => {
      const { usage, ids, tokens } = await opened(50);
      for (const [index, id] of ids.entries()) usage.used(id, at(index));
      await usage.flush();
      const stored = await Promise.all(ids.map((id) => tokens.find(id)));
      expect(stored.map((entry) => entry?.usage.lastUsedAt)).toEqual(ids.map((_, index) => at(index)));
    });

    test('a deleted token does not prevent the usage of others from being stored', async () => {
      const { usage, id, usageOf } = await opened();
      usage.used(aTokenId(), at(1));
      usage.used(id, at(1));
      usage.used(aTokenId(), at(1));
      await usage.flush();
      expect((await usageOf())?.lastUsedAt).toBe(at(1));
    });

    test('usage is not recorded as an event', async () => {
      const { usage, id, audit } = await opened();
      const before = await audit.list({ limit: 10 });
      usage.used(id, at(1));
      await usage.flush();
      expect(await audit.list({ limit: 10 })).toEqual(before);
    });
  });
}
