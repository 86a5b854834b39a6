import { UnavailableFault } from '@gatehouse/domain';
import type { UserId } from '@gatehouse/domain/users';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { onBehalf } from './askers.ts';
import { createLane } from './lane.ts';
import { createPoolShare } from './pool-share.ts';

const OPEN = { open: async () => undefined, missed: () => undefined };
/** Longer than a connection may be held without a statement, in milliseconds. */
const FORGOTTEN_MS = 13_000;

const createPlaces = (concurrency: number, patience: number) =>
  createLane<UserId | undefined>({
    name: 'statements',
    patience,
    concurrency,
    queued: Number.POSITIVE_INFINITY,
    queuedPerKey: 100,
  });

/** A pool that counts its connections in use, and those that were destroyed. */
function aPool() {
  const counts = { used: 0, destroyed: 0 };
  const query = vi.fn(async () => ({ command: 'SELECT', rowCount: 0, rows: [] }));
  const connect = async () => {
    counts.used += 1;
    const release = (destroy?: boolean) => {
      counts.used -= 1;
      if (destroy) counts.destroyed += 1;
    };
    // A share calls nothing else of a client.
    return { query, release } as unknown as PostgresPoolClient;
  };
  // Nor of a pool.
  const pool = { options: {}, connect, end: async () => undefined } as unknown as PostgresPool;
  return { pool, counts, query };
}

test('all shares together hold no more than what is left to them', async () => {
  const { pool, counts } = aPool();
  const common = createPlaces(4, 10);
  const share = () => createPoolShare(pool, { lanes: [createPlaces(3, 10), common], gate: OPEN });
  const [one, other] = [share(), share()];
  const held = [await one.connect(), await one.connect(), await one.connect(), await other.connect()];
  await expect(one.connect()).rejects.toThrow(UnavailableFault);
  await expect(other.connect()).rejects.toThrow(UnavailableFault);
  expect(counts.used).toBe(4);
  for (const client of held) client.release();
  expect(counts).toEqual({ used: 0, destroyed: 0 });
  await Promise.all([other.connect(), other.connect(), other.connect()]);
  expect(counts.used).toBe(3);
});

test('users take turns, however many statements of one wait, and one may have a hundred of them', async () => {
  const { pool } = aPool();
  const share = createPoolShare(pool, { lanes: [createPlaces(1, 10_000)], gate: OPEN });
  const [flooding, other] = [1 as UserId, 2 as UserId];
  const held = await share.connect();
  const begun: string[] = [];
  const connect = (user: UserId, name: string) =>
    onBehalf.ofUser(user, async () => {
      const client = await share.connect();
      begun.push(name);
      client.release();
    });
  const flood = Array.from({ length: 100 }, (_, index) => connect(flooding, `flood ${index}`));
  await expect(connect(flooding, 'one too many')).rejects.toThrow(UnavailableFault);
  const others = ['first', 'second'].map((name) => connect(other, name));
  // Until they wait for a place, too.
  await new Promise(setImmediate);
  held.release();
  await Promise.all([...flood, ...others]);
  expect(begun.slice(0, 5)).toEqual(['flood 0', 'first', 'flood 1', 'second', 'flood 2']);
  expect(begun).toHaveLength(102);
});

test('a connection that its holder forgets goes back, and is of no more use to the holder', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { pool, counts, query } = aPool();
  const share = createPoolShare(pool, { lanes: [createPlaces(1, 10)], gate: OPEN });
  const client = await share.connect();
  for (const _ of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(FORGOTTEN_MS / 2);
    await client.query('select 1', []);
  }
  expect(counts).toEqual({ used: 1, destroyed: 0 });
  await vi.advanceTimersByTimeAsync(FORGOTTEN_MS);
  expect(counts).toEqual({ used: 0, destroyed: 1 });
  await expect(client.query('select 1', [])).rejects.toThrow(UnavailableFault);
  expect(query).toHaveBeenCalledTimes(3);
  client.release();
  await share.connect();
  expect(counts).toEqual({ used: 1, destroyed: 1 });
});

test('a statement that is under way does not count as forgotten', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { pool, counts, query } = aPool();
  const share = createPoolShare(pool, { lanes: [createPlaces(1, 10)], gate: OPEN });
  const client = await share.connect();
  query.mockReturnValueOnce(new Promise(() => undefined));
  void client.query('select pg_sleep(60)', []);
  // Another one that ends meanwhile changes nothing.
  await client.query('select 1', []);
  await vi.advanceTimersByTimeAsync(FORGOTTEN_MS);
  expect(counts).toEqual({ used: 1, destroyed: 0 });
});
