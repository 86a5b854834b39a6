import { createTestDatabase } from '@gatehouse/test-database';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { untilSomeoneWaits } from '../../testing/until-someone-waits.ts';
import { openDatabase } from './database.ts';
import { whileLocked } from './while-locked.ts';

it('runs one at a time, from any pool', async () => {
  await using server = await createTestDatabase();
  const databases = Array.from({ length: 3 }, () => openDatabase({ url: server.url, poolSize: 1 }));
  let working = 0;
  let most = 0;
  const work = async () => {
    working += 1;
    most = Math.max(most, working);
    await databases[0]?.queries.selectNoFrom((from) => from.val(1).as('one')).execute();
    working -= 1;
  };
  await Promise.all(databases.flatMap((database) => [1, 2].map(() => whileLocked(database, 42, work))));
  await Promise.all(databases.map((database) => database.close()));
  expect(most).toBe(1);
});

it('keeps the lock while the work takes longer than the database’s limit for idle transactions', async () => {
  await using server = await createTestDatabase();
  const database = openDatabase({ url: server.url, poolSize: 1 });
  await sql`do $$ begin
    execute format('alter database %I set idle_in_transaction_session_timeout = 50', current_database());
    if current_setting('server_version_num')::int >= 170000 then
      execute format('alter database %I set transaction_timeout = 100', current_database());
    end if;
  end $$`.execute(database.queries);
  const isHeld = await whileLocked(database, 42, async () => {
    const { rows } = await sql<{ held: boolean }>`
      select pg_sleep(0.5), exists(select from pg_locks where locktype = 'advisory' and objid = 42
        and database = (select oid from pg_database where datname = current_database())) as held`.execute(
      database.queries,
    );
    return rows[0]?.held;
  });
  expect(isHeld).toBe(true);
  await database.close();
});

it('reports the sessions that hold the lock after a long wait', async () => {
  await using server = await createTestDatabase();
  const database = openDatabase({ url: server.url, poolSize: 1 });
  const holder = new pg.Client({ connectionString: server.url, application_name: 'psql' });
  await holder.connect();
  const { rows } = await holder.query('select pg_advisory_lock(42), pg_backend_pid() as pid');
  const waited = Promise.withResolvers<void>();
  const reports: unknown[] = [];
  const working = whileLocked(database, 42, async () => 'done', {
    pause: () => waited.promise,
    async onLongWait(holders) {
      reports.push(holders);
      await holder.end();
    },
  });
  await untilSomeoneWaits(database);
  expect(reports).toEqual([]);
  waited.resolve();
  expect(await working).toBe('done');
  expect(reports).toEqual([[{ pid: rows[0].pid, application: 'psql', transactionMs: undefined }]]);
  await database.close();
});

it('reports nothing if it gets the lock at once', async () => {
  await using server = await createTestDatabase();
  const database = openDatabase({ url: server.url, poolSize: 1 });
  const onLongWait = vi.fn();
  const waited = Promise.withResolvers<void>();
  const work = async () => waited.resolve();
  await whileLocked(database, 42, work, { pause: () => waited.promise, onLongWait });
  expect(onLongWait).not.toHaveBeenCalled();
  await database.close();
});
