import { setTimeout as delay } from 'node:timers/promises';
import { none, recordFigures, sized } from '@gatehouse/fault-figures';
import pg from 'pg';
import { expect, test } from 'vitest';
import { untilReady, untilStatus } from '../stage/ask.ts';
import { startNode } from '../stage/node.ts';
import { populate, settingsOf } from '../stage/population.ts';
import { startPostgres } from '../stage/postgres.ts';
import { startReader } from '../stage/reader.ts';
import { sabotage } from '../stage/sabotage.ts';

const SIZE = sized({ short: { heldMs: 3_000 }, full: { heldMs: 60_000 } });
const LIMIT = { timeout: 60_000 + SIZE.heldMs };
const OUT_OF_SHARED_MEMORY = '53200';
/** The former heartbeat, whose statement names a view. */
const NAMES_A_VIEW = sabotage({
  file: '/listening-connection.ts',
  find: '::float8 as now`',
  replace: '::float8 as now, case when pg_is_in_recovery() then (select count(*) from pg_stat_activity) end`',
});

/** Reads with a known token while another session of the database holds all locks. */
async function readWhileLocked(more = {}) {
  await using postgres = await startPostgres({ settings: { max_locks_per_transaction: '10' } });
  const settings = settingsOf(postgres.url);
  const { path, token } = await populate(settings);
  await using node = await startNode({ ...settings, ...more });
  await untilReady(node.opsUrl);
  const url = `${node.url}${path}`;
  await untilStatus(200, url, token);

  const session = new pg.Client({ connectionString: postgres.url });
  await session.connect();
  const taken = session.query('select count(pg_advisory_lock(i)) from generate_series(1, 1000000) i');
  await expect(taken).rejects.toMatchObject({ code: OUT_OF_SHARED_MEMORY });
  const reader = await startReader({ url, token, everyMs: 10 });
  await delay(SIZE.heldMs);
  const { took, failures } = await reader.stop();
  await session.end();
  await untilReady(node.opsUrl);
  await untilStatus(200, url, token);
  return { took, failures };
}

test('a session that holds all locks affects no request answered from memory', LIMIT, async () => {
  const { took, failures } = await readWhileLocked();
  recordFigures('R9', [
    { name: 'requests', measured: String(took.length) },
    none('not answered by 200', failures.length),
  ]);
  expect(took.length).toBeGreaterThan(0);
  expect(failures).toEqual([]);
});

test('it stops all requests, and is detected, if heartbeats need locks', LIMIT, async () => {
  const { failures } = await readWhileLocked(NAMES_A_VIEW);
  expect(failures).not.toEqual([]);
});
