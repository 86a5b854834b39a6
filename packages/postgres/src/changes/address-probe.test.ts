import type { ChangeFeedEvent } from '@gatehouse/domain/changes';
import { createFixedClock, START } from '@gatehouse/domain/testing';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aTestDatabase, connectClient, openAnother } from '../../testing/open-test-store.ts';
import { createPaces } from '../../testing/paces.ts';
import { openPromotingRelay } from '../../testing/promoting-relay.ts';
import type { Database } from '../database/database.ts';
import { keepProbingAddresses } from './address-probe.ts';
import { createPostgresChangeFeed } from './change-feed.ts';

/** A database behind a relay, with a warm pool. */
async function openReplaceable() {
  const { url } = await aTestDatabase();
  const relay = await openPromotingRelay(url);
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const database = openAnother({ url: relay.url, poolSize: 3, connectTimeoutMs: 900 });
  await Promise.all([1, 2, 3].map(() => read(database)));
  return { url, relay, database };
}

const read = ({ queries }: Database) => sql`select pg_sleep(0.01)`.execute(queries);

/** Probes that the test makes one by one, and their reports. */
function startProbing(database: Database, options: { listenUrl?: string; maxStalenessMs?: number } = {}) {
  const { pause, next, begun } = createPaces();
  const closing = new AbortController();
  const events: ChangeFeedEvent[] = [];
  const running = keepProbingAddresses({
    database,
    maxStalenessMs: 1000,
    ...options,
    monotonicClock: { elapsedMs: () => 0 },
    report: (event) => events.push(event),
    pause,
    signal: closing.signal,
  });
  onTestFinished(async () => {
    closing.abort();
    await running;
  });
  return { next, begun, events };
}

describe('a database that was replaced while its old primary goes on running', () => {
  test('is not noticed by connections that are open, and by the next probe all of them are closed', async () => {
    const { relay, database } = await openReplaceable();
    const { next, begun } = startProbing(database);
    await begun();
    relay.promote();
    await Promise.all([1, 2, 3].map(() => read(database)));
    expect(database.poolState()).toMatchObject({ total: 3 });
    await next();
    await expect.poll(() => database.poolState()).toMatchObject({ total: 0 });
    await read(database);
    expect(database.poolState()).toMatchObject({ total: 1 });
  });

  test('loses the statements that its connections are executing', async () => {
    const { relay, database } = await openReplaceable();
    const { next, begun } = startProbing(database);
    await begun();
    const slow = sql`select pg_sleep(60)`.execute(database.queries);
    slow.catch(() => undefined);
    relay.promote();
    await next();
    await expect(slow).rejects.toThrow(
      'the database does not answer: the connection leads to a primary that was replaced',
    );
  });

  test('answers no read over connections that lead to the old primary again', async () => {
    const { relay, database } = await openReplaceable();
    const { next, begun } = startProbing(database);
    await begun();
    relay.promote();
    await next();
    relay.demote();
    await expect(read(database)).rejects.toThrow(
      'the database cannot be reached: DATABASE_URL leads to a primary that was replaced',
    );
    await next();
    await expect(read(database)).rejects.toThrow('was replaced');
    relay.promote();
    await read(database);
  });

  test('is noticed by any new connection of the pool, too', async () => {
    const { relay } = await openReplaceable();
    const database = openAnother({ url: relay.url, poolSize: 2 });
    await read(database);
    relay.promote();
    const slow = sql`select pg_sleep(60)`.execute(database.queries);
    const [first, second] = await Promise.allSettled([slow, read(database)]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
    await expect.poll(() => database.poolState()).toMatchObject({ total: 1 });
  });

  test('is noticed at the address of the listening connection, where the pool’s leads to the old primary', async () => {
    const { url, relay } = await openReplaceable();
    const database = openAnother({ url, poolSize: 1 });
    await read(database);
    const { next, begun } = startProbing(database, { listenUrl: relay.url });
    await begun();
    relay.promote();
    await next();
    await expect(read(database)).rejects.toThrow('DATABASE_URL leads to a primary that was replaced');
  });
});

describe('a probe', () => {
  test('that fails ends nothing', async () => {
    const { relay, database } = await openReplaceable();
    const { next, begun, events } = startProbing(database);
    await begun();
    relay.refuse(true);
    await next();
    await next();
    expect(database.poolState()).toMatchObject({ total: 3, idle: 3 });
    await read(database);
    expect(events).toEqual([]);
  });

  test('leaves no connection', async () => {
    const { relay, database } = await openReplaceable();
    const { next, begun } = startProbing(database);
    await begun();
    for (const _ of [1, 2, 3]) await next();
    await expect.poll(() => relay.openCount()).toBe(3);
  });

  test.each([
    [500, 375],
    [1000, 750],
    [60_000, 1000],
  ])(
    'begins within three quarters of an allowed staleness of %i ms, and within a second',
    async (maxStalenessMs, pauseMs) => {
      const { database } = await aTestDatabase({ empty: true });
      expect(await startProbing(database, { maxStalenessMs }).begun()).toBe(pauseMs);
    },
  );

  test('reports once that it may not ask', async () => {
    const { url, database } = await openReplaceable();
    const client = await connectClient(url);
    const findPrimary = async () => void (await client.query('select no_such_function()'));
    const { next, begun, events } = startProbing({ ...database, findPrimary });
    await begun();
    await next();
    expect(events).toEqual([
      { kind: 'servers_unknown', reason: 'function no_such_function() does not exist' },
    ]);
  });
});

describe('a change feed whose database was replaced while the old primary goes on running', () => {
  async function openProbingFeed(addressProbe: { listensElsewhere: boolean } | undefined) {
    const { relay, database } = await openReplaceable();
    const reasons: string[] = [];
    const feed = createPostgresChangeFeed({
      listenUrl: relay.url,
      database,
      addressProbe,
      maxStalenessMs: 500,
      clock: createFixedClock(START),
      monotonicClock: { elapsedMs: () => performance.now() },
      report: (event) => event.kind === 'untrusted' && reasons.push(event.reason),
    });
    onTestFinished(() => feed.close());
    await feed.start();
    expect(feed.state()).toEqual({ trusted: true });
    return { relay, feed, reasons };
  }

  test('is not trusted, and is again on a connection to the new one', async () => {
    const { relay, feed, reasons } = await openProbingFeed({ listensElsewhere: false });
    const heardWhenForgotten = new Promise((resolve) => {
      feed.subscribe(({ kind }) => kind === 'everything' && resolve(feed.heardUpTo()));
    });
    relay.promote();
    expect(await heardWhenForgotten).toBeUndefined();
    await expect.poll(() => feed.state()).toEqual({ trusted: true });
    expect(reasons).toEqual(['the listening connection leads to a primary that was replaced']);
  });

  test('would go on being trusted without the probe', async () => {
    const { relay, feed, reasons } = await openProbingFeed(undefined);
    relay.promote();
    const since = performance.now();
    await expect
      .poll(() => (feed.heardUpTo()?.elapsedMs ?? 0) - since, { timeout: 5000 })
      .toBeGreaterThan(600);
    expect(reasons).toEqual([]);
  });
});
