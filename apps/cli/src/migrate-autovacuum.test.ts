import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { runHere } from '../testing/run-here.ts';
import { aUsedDataFolder } from '../testing/temporary-folder.ts';

/** It changes `audit_events`. Those from it on can run again, because a step of each may be cut short. */
const OLDEST = '0013-audit-seals';

/** A page is vacuumed in 100 ms, so all of them in more than a minute. */
const VACUUM_SLOWLY = `
  alter table audit_events set (autovacuum_vacuum_insert_threshold = 0, autovacuum_vacuum_insert_scale_factor = 0,
    autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1);
  insert into audit_events (at, actor, origin, action, subject_type, subject_id, details)
    select now(), '{"kind": "operator", "name": "ada"}', 'test', 'token.created', 'token', n,
      jsonb_build_object('name', repeat('x', 1000))
    from generate_series(1, 8000) n`;
const VACUUMING = `
  select pid from pg_locks where relation = 'audit_events'::regclass and mode = 'ShareUpdateExclusiveLock'`;

/** A server of its own, because that of the tests does not vacuum by itself. */
async function aServer() {
  const dataDir = await aUsedDataFolder();
  const settings = { autovacuum_naptime: '1s', fsync: 'off' };
  const postgres = await openEmbeddedPostgres({ dataDir, settings });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await postgres[Symbol.asyncDispose]();
  });
  return { client, settings: { DATABASE_URL: postgres.url, GATEHOUSE_MASTER_KEY: 'A'.repeat(43) } };
}

test('migrate does not wait for the end of an autovacuum', async () => {
  const { client, settings } = await aServer();
  expect(await runHere(settings, ['migrate'])).toMatchObject({ status: 0 });
  await client.query('delete from kysely_migration where name >= $1', [OLDEST]);
  await client.query(VACUUM_SLOWLY);
  const vacuuming = async () => (await client.query<{ pid: number }>(VACUUMING)).rows[0]?.pid;
  await expect.poll(vacuuming, { timeout: 30_000 }).toBeDefined();
  const pid = await vacuuming();

  const { status, stderr } = await runHere(settings, ['migrate']);
  expect(status).toBe(0);
  expect(stderr).toContain(
    `the migration ${OLDEST} is waiting for a lock held by process ${pid} (vacuums, analyzes or indexes audit_events); trying again`,
  );
}, 60_000);
