import { describe, expect, onTestFinished, test } from 'vitest';
import { UnavailableFault } from '../../src/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import type { TokenId, UsageCounts, UsageSubscription } from '../../src/tokens/index.ts';
import { START } from '../fixtures.ts';
import type { WatchedRepositories } from '../repositories.ts';
import { givenService } from '../service-fixtures.ts';
import { openWithTokens } from './open-with-tokens.ts';

/** A feed of the usage that a store's recorder stores. */
interface FeedOnRecorder extends WatchedRepositories {
  /** Interrupts the connection of all subscribers. */
  cutOff(): Promise<void>;
  close(): Promise<void>;
}

/** The contract of every UsageFeed. */
export function usageFeedContract(name: string, open: () => Promise<FeedOnRecorder>): void {
  const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);

  const opened = (tokenCount = 1) => openWithTokens(open, tokenCount);

  describe(`${name} keeps the contract of UsageFeed`, () => {
    test('delivers how often a token was used and refused, and why', async () => {
      const { usage, usageFeed, id } = await opened();
      const { reader } = await listening(usageFeed.listen());
      usage.refused(id, at(1), 'expired');
      usage.used(id, at(3));
      usage.used(id, at(2));
      usage.refused(id, at(1), 'insufficient_scope');
      usage.refused(id, at(1), 'expired');
      await usage.flush();
      expect(await told(reader, [id])).toEqual([
        { tokenId: id, uses: 2, refusals: { expired: 2, insufficient_scope: 1 }, at: at(3) },
      ]);
    });

    test('the delivered time is that of the last use or refusal', async () => {
      const { usage, usageFeed, id } = await opened();
      const { reader } = await listening(usageFeed.listen());
      usage.used(id, at(1));
      usage.refused(id, at(2), 'revoked');
      await usage.flush();
      expect(await told(reader, [id])).toEqual([
        { tokenId: id, uses: 1, refusals: { revoked: 1 }, at: at(2) },
      ]);
    });

    test('counts since the usage was last stored', async () => {
      const { usage, usageFeed, id } = await opened();
      const { reader } = await listening(usageFeed.listen());
      for (const uses of [3, 1, 2]) {
        for (let i = 0; i < uses; i += 1) usage.used(id, at(1));
        await usage.flush();
        expect(await told(reader, [id])).toEqual([{ tokenId: id, uses, refusals: {}, at: at(1) }]);
      }
    });

    test('delivers all tokens that were stored at once, each with its own counts', async () => {
      const { usage, usageFeed, ids } = await opened(300);
      const { reader } = await listening(usageFeed.listen());
      for (const [index, id] of ids.entries()) {
        usage.used(id, at(index));
        usage.refused(id, at(index), 'not_allowed');
      }
      await usage.flush();
      const expected = ids.map((tokenId, index) => ({
        tokenId,
        uses: 1,
        refusals: { not_allowed: 1 },
        at: at(index),
      }));
      expect(await told(reader, ids)).toEqual(expected);
    });

    test('delivers nothing that was stored before, and nothing without new usage', async () => {
      const { usage, usageFeed, ids } = await opened(2);
      const [before, after] = ids as [TokenId, TokenId];
      usage.used(before, at(1));
      await usage.flush();
      const { reader } = await listening(usageFeed.listen());
      await usage.flush();
      usage.used(after, at(2));
      await usage.flush();
      expect((await reader.next()).value).toEqual([{ tokenId: after, uses: 1, refusals: {}, at: at(2) }]);
    });

    test('delivers to all subscribers', async () => {
      const { usage, usageFeed, id } = await opened();
      const [one, other] = [await listening(usageFeed.listen()), await listening(usageFeed.listen())];
      usage.used(id, at(1));
      await usage.flush();
      const expected = [{ tokenId: id, uses: 1, refusals: {}, at: at(1) }];
      expect(await told(one.reader, [id])).toEqual(expected);
      expect(await told(other.reader, [id])).toEqual(expected);
      await one.subscription.close();
      usage.used(id, at(2));
      await usage.flush();
      expect(await told(other.reader, [id])).toEqual([{ tokenId: id, uses: 1, refusals: {}, at: at(2) }]);
    });

    test('delivers what services report, with their counts', async () => {
      const { usageReports, usageFeed, ids, ...store } = await opened(2);
      const [used, refused] = ids as [TokenId, TokenId];
      const { name: service } = await givenService({ usageReports, ...store });
      const { reader } = await listening(usageFeed.listen());
      await usageReports.store(service, {
        uses: [{ token: used, count: 7, lastAt: at(2) }],
        refusals: [{ token: refused, count: 3, lastAt: at(1), reason: 'insufficient_scope' }],
      });
      expect(await told(reader, ids)).toEqual([
        { tokenId: used, uses: 7, refusals: {}, at: at(2) },
        { tokenId: refused, uses: 0, refusals: { insufficient_scope: 3 }, at: at(1) },
      ]);
    });

    test('closing a subscription ends a waiting iteration', async () => {
      const { usageFeed } = await opened();
      const { reader, subscription } = await listening(usageFeed.listen());
      const waiting = reader.next();
      await subscription.close();
      await subscription.close();
      expect(await waiting).toMatchObject({ done: true });
    });

    test('a waiting iteration throws when the feed is lost', async () => {
      const { usageFeed, cutOff } = await opened();
      const { reader } = await listening(usageFeed.listen());
      const waiting = expect(reader.next()).rejects.toThrow(UnavailableFault);
      await cutOff();
      await waiting;
      expect(await reader.next()).toMatchObject({ done: true });
    });
  });
}

async function listening(opening: Promise<UsageSubscription>) {
  const subscription = await opening;
  onTestFinished(() => subscription.close());
  return { subscription, reader: subscription[Symbol.asyncIterator]() };
}

/** Reads the feed until it has usage of all these tokens, and returns it in their order. */
async function told(reader: AsyncIterator<readonly UsageCounts[]>, ids: readonly TokenId[]) {
  const found = new Map<TokenId, UsageCounts>();
  while (!ids.every((id) => found.has(id))) {
    const { value, done } = await reader.next();
    if (done) throw new Error('the feed ended before it told of all tokens');
    for (const counts of value) found.set(counts.tokenId, counts);
  }
  return ids.map((id) => found.get(id));
}
