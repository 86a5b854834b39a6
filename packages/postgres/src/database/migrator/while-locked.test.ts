import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { aTestDatabase, connectClient, openAnother } from '../../../testing/open-test-store.ts';
import { untilSomeoneWaits } from '../../../testing/until-someone-waits.ts';
import { whileLocked } from './while-locked.ts';

it('runs one at a time, from any pool', async () => {
  const { url } = await aTestDatabase({ empty: true });
  const databases = Array.from({ length: 3 }, () => openAnother({ url, poolSize: 1 }));
  let working = 0;
  let most = 0;
  const work = async () => {
    working += 1;
    most = Math.max(most, working);
    await databases[0]?.queries.selectNoFrom((from) => from.val(1).as('one')).execute();
    working -= 1;
  };
  await Promise.all(databases.flatMap((database) => [1, 2].map(() => whileLocked(database, 42, work))));
  expect(most).toBe(1);
});

it('keeps the lock while the work takes longer than the database’s limit for idle transactions', async () => {
  const { database } = await aTestDatabase({ empty: true });
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
});

it('reports the sessions that hold the lock after a long wait', async () => {
  const { url, database } = await aTestDatabase({ empty: true });
  const holder = await connectClient(url, { application_name: 'psql' });
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
  expect(reports).toEqual([[{ pid: rows[0].pid, application: 'psql', transactionMs: null, maintains: [] }]]);
});

it('reports nothing if it gets the lock at once', async () => {
  const { database } = await aTestDatabase({ empty: true });
  const onLongWait = vi.fn();
  const waited = Promise.withResolvers<void>();
  const work = async () => waited.resolve();
  await whileLocked(database, 42, work, { pause: () => waited.promise, onLongWait });
  expect(onLongWait).not.toHaveBeenCalled();
});
