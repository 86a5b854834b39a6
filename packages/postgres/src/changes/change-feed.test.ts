import type { Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createBeliever } from '../../testing/believer.ts';
import { aFeed, givenTokens, openBehindProxy, openDirectly, revoke } from '../../testing/feeds.ts';
import type { TestFeed } from '../../testing/open-feed.ts';
import { aTestDatabase } from '../../testing/open-test-store.ts';
import { terminateListeners } from '../../testing/terminate.ts';

describe('a feed whose session is terminated again and again', () => {
  const ROUNDS = 50;

  /** Ends the session while tokens are revoked; returns how many of them were believed for too long. */
  async function mistakesOf(heed: (opened: TestFeed) => Pick<TestFeed, 'feed'>) {
    const { opened, database } = await openDirectly();
    const believer = createBeliever(heed(opened));
    let mistakes = 0;
    let ended = 0;
    for (const [round, token] of (await givenTokens(database, ROUNDS)).entries()) {
      await opened.hear();
      believer.believe(token.id);
      const end = async () => {
        ended += await terminateListeners(database);
      };
      if (round % 3 === 0) await end();
      await Promise.all([revoke(database, token), round % 3 === 1 ? end() : undefined]);
      believer.isRevoked(token.id);
      const now = performance.now();
      if (round % 3 === 2) await end();
      while ((opened.feed.heardUpTo()?.elapsedMs ?? 0) < now) {
        await opened.next();
        mistakes += believer.mistakes().length;
      }
    }
    return { mistakes, ended };
  }

  test('misses no change', async () => {
    expect(await mistakesOf((opened) => opened)).toEqual({ mistakes: 0, ended: ROUNDS });
  });

  test('is detected if it does not report the interruption', async () => {
    const { mistakes } = await mistakesOf(({ feed }) => ({
      feed: {
        ...feed,
        subscribe: (listener) => feed.subscribe((change) => change.kind === 'everything' || listener(change)),
      },
    }));
    expect(mistakes).toBeGreaterThan(0);
  });
});

describe('a feed', () => {
  test('reports once that the clocks differ, and again after they agreed', async () => {
    let aheadMs = 5000;
    const { url, database } = await aTestDatabase();
    const opened = await aFeed({
      listenUrl: url,
      database,
      clock: { now: () => (Date.now() + aheadMs) as Instant },
    });
    await opened.hear();
    await opened.hear();
    aheadMs = 0;
    await opened.hear();
    aheadMs = -5000;
    await opened.hear();
    const skews = opened.events.flatMap((event) => (event.kind === 'clock_skewed' ? event.skewMs : []));
    expect(skews).toHaveLength(2);
    expect(Math.abs((skews[0] as number) - 5000)).toBeLessThan(1000);
    expect(Math.abs((skews[1] as number) + 5000)).toBeLessThan(1000);
  });

  test('skips unparsable notifications, reports that once, and continues', async () => {
    const { opened, database } = await openDirectly();
    await opened.hear();
    opened.told.length = 0;
    for (const payload of ['hello', '{"v":9}', 'x'.repeat(7000)]) {
      await sql`select pg_notify('gatehouse_changes', ${payload})`.execute(database.queries);
    }
    await opened.hear();
    expect(opened.told).toEqual([]);
    expect(opened.events).toEqual([{ kind: 'trusted' }, { kind: 'unknown_notification', payload: 'hello' }]);
  });

  test('skips the nonces of other feeds', async () => {
    const { opened, url, database } = await openDirectly();
    await aFeed({ listenUrl: url, database });
    await opened.hear();
    expect(opened.events).toEqual([{ kind: 'trusted' }]);
  });

  test('that is closed is not trusted, tells its listeners, and leaves no session', async () => {
    const { opened, database } = await openDirectly();
    await opened.hear();
    opened.told.length = 0;
    await opened.feed.close();
    expect(opened.feed.heardUpTo()).toBeUndefined();
    expect(opened.told).toEqual([{ kind: 'everything' }]);
    expect(opened.events).toEqual([{ kind: 'trusted' }]);
    expect(await terminateListeners(database)).toBe(0);
  });

  test('can be closed while it waits for a connection that is not answered', async () => {
    const { opened, proxy, database } = await openBehindProxy();
    await opened.hear();
    await terminateListeners(database);
    await opened.lost();
    proxy.silence(true);
    const attempt = opened.next().then(() => 'ended');
    const connecting = await Promise.race([proxy.connected(), attempt]);
    const before = performance.now();
    await opened.feed.close();
    expect(connecting).toBeUndefined();
    // Without help the attempt would end after two seconds.
    expect(performance.now() - before).toBeLessThan(1900);
    expect(opened.feed.state().trusted).toBe(false);
  });

  test('can be closed while a heartbeat is not answered', async () => {
    const { opened, proxy } = await openBehindProxy();
    await opened.hear();
    proxy.silence(true);
    void opened.next();
    await new Promise(setImmediate);
    const before = performance.now();
    await opened.feed.close();
    // Without help the connection would be given up after ten seconds.
    expect(performance.now() - before).toBeLessThan(5000);
  });
});
