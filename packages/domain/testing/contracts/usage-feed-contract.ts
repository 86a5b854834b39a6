import { describe, expect, onTestFinished, test } from 'vitest';
import { UnavailableFault } from '../../src/index.ts';
import { type Instant, later } from '../../src/time/index.ts';
import type { TokenId, UsageCounts, UsageSubscription } from '../../src/tokens/index.ts';
import { START } from '../fixtures.ts';
import type { WatchedRepositories } from '../repositories.ts';
import { openWithTokens } from './open-with-tokens.ts';

/** A feed on a store whose recorder it tells of. */
export interface FeedOnRecorder extends WatchedRepositories {
  /** The connection of everyone who listens is lost. */
  cutOff(): Promise<void>;
  close(): Promise<void>;
}

/** What every UsageFeed must do. */
export function usageFeedContract(name: string, open: () => Promise<FeedOnRecorder>): void {
  const at = (seconds: number): Instant => later(START, 1000 * seconds);

  const opened = (tokenCount = 1) => openWithTokens(open, tokenCount);

  describe(`${name} keeps the contract of UsageFeed`, () => {
    test('tells how often a token was used and refused, and why', async () => {
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

    test('the moment that it tells is the last, be it that of a refusal', async () => {
      const { usage, usageFeed, id } = await opened();
      const { reader } = await listening(usageFeed.listen());
      usage.used(id, at(1));
      usage.refused(id, at(2), 'revoked');
      await usage.flush();
      expect(await told(reader, [id])).toEqual([
        { tokenId: id, uses: 1, refusals: { revoked: 1 }, at: at(2) },
      ]);
    });

    test('counts from one time of storing to the next', async () => {
      const { usage, usageFeed, id } = await opened();
      const { reader } = await listening(usageFeed.listen());
      for (const uses of [3, 1, 2]) {
        for (let i = 0; i < uses; i += 1) usage.used(id, at(1));
        await usage.flush();
        expect(await told(reader, [id])).toEqual([{ tokenId: id, uses, refusals: {}, at: at(1) }]);
      }
    });

    test('tells of all tokens that were stored at once, each with its own', async () => {
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

    test('tells nothing of what was stored before, nor where nothing was to be stored', async () => {
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

    test('tells everyone who listens', async () => {
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

    test('whoever waits for more comes to the end when it is closed', async () => {
      const { usageFeed } = await opened();
      const { reader, subscription } = await listening(usageFeed.listen());
      const waiting = reader.next();
      await subscription.close();
      await subscription.close();
      expect(await waiting).toMatchObject({ done: true });
    });

    test('whoever waits for more learns that the feed is lost', async () => {
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

/** What is told of these tokens, in their order, once all of them were. */
async function told(
  reader: AsyncIterator<readonly UsageCounts[]>,
  ids: readonly TokenId[],
): Promise<readonly (UsageCounts | undefined)[]> {
  const found = new Map<TokenId, UsageCounts>();
  while (!ids.every((id) => found.has(id))) {
    const { value, done } = await reader.next();
    if (done) throw new Error('the feed ended before it told of all tokens');
    for (const counts of value) found.set(counts.tokenId, counts);
  }
  return ids.map((id) => found.get(id));
}
