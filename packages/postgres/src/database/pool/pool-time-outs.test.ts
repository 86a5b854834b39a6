import { UnavailableFault } from '@gatehouse/domain';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { openSilenceableProxy } from '@gatehouse/test-database';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { aTestDatabase, openAnother } from '../../../testing/open-test-store.ts';
import type { Database } from '../database.ts';

const SIZE = sized({ short: { statements: 200, silences: 1 }, full: { statements: 10_000, silences: 40 } });
const POOL_SIZE = 4;

/** Four at a time, as many as there are connections. */
async function timeOuts({ queries }: Database, count: number): Promise<number> {
  let timedOut = 0;
  let left = count;
  async function work() {
    while (left > 0) {
      left -= 1;
      const fault = await sql`select pg_sleep(60)`.execute(queries).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(UnavailableFault);
      timedOut += 1;
    }
  }
  await Promise.all(Array.from({ length: POOL_SIZE }, work));
  return timedOut;
}

/** How many connections can be had at once. */
async function connectionsOf({ queries }: Database): Promise<number> {
  const all = Promise.withResolvers<void>();
  const pids = new Set<number>();
  const take = () =>
    queries.connection().execute(async (connection) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
      pids.add(rows[0]?.pid ?? 0);
      if (pids.size === POOL_SIZE) all.resolve();
      await all.promise;
    });
  await Promise.all(Array.from({ length: POOL_SIZE }, take));
  return pids.size;
}

test(`${SIZE.statements} statements that the server gives up cost no connection`, async () => {
  const options = { poolSize: POOL_SIZE, statementTimeoutMs: 20 };
  const { database } = await aTestDatabase({ empty: true, ...options });
  const timedOut = await timeOuts(database, SIZE.statements);
  recordFigures('O1', [{ name: 'statements given up by PostgreSQL', measured: String(timedOut) }]);
  expect(database.poolState()).toEqual({ total: POOL_SIZE, idle: POOL_SIZE, waiting: 0 });
  expect(await connectionsOf(database)).toBe(POOL_SIZE);
}, 600_000);

test(`statements that stay without an answer cost no connection either, in ${SIZE.silences} silences`, async () => {
  const proxy = await openSilenceableProxy((await aTestDatabase({ empty: true })).url);
  onTestFinished(proxy.close);
  const options = { poolSize: POOL_SIZE, statementTimeoutMs: 250, connectTimeoutMs: 900 };
  const database = openAnother({ url: proxy.url, ...options });
  for (let silence = 0; silence < SIZE.silences; silence += 1) {
    expect(await connectionsOf(database)).toBe(POOL_SIZE);
    proxy.silence(true);
    await timeOuts(database, 2 * POOL_SIZE);
    expect(database.poolState()).toEqual({ total: 0, idle: 0, waiting: 0 });
    proxy.silence(false);
  }
  recordFigures('O1', [{ name: 'silences of PostgreSQL', measured: String(SIZE.silences) }]);
  expect(await connectionsOf(database)).toBe(POOL_SIZE);
}, 600_000);
