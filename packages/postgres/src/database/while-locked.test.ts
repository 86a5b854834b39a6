import { createTestDatabase } from '@gatehouse/test-database';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { whileLocked } from './while-locked.ts';

it('lets one at a time do its work, whichever pool it comes from', async () => {
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

it('keeps the lock while the work takes longer than the database lets a transaction pause', async () => {
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
