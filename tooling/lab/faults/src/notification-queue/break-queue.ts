import pg from 'pg';
import type { OlderPostgres } from './older-postgres.ts';

/** More transactions than one file of pg_xact has outcomes for, which is 1,048,576. */
const TRANSACTIONS = 1_100_000;

/** Each iteration is a subtransaction with an id of its own. */
const USE_UP = `do $$ begin
  for i in 1..${TRANSACTIONS} loop
    begin insert into used_up values (i); exception when others then null; end;
    if i % 50000 = 0 then commit; end if;
  end loop;
end $$`;

/**
 * Breaks the queue as in production, without changing a file: a session listens in another database and stays in a
 * transaction; a transaction notifies; a million transactions later VACUUM FREEZE removes the outcome of that
 * transaction. Every LISTEN then fails: "could not access status of transaction". PostgreSQL 18.2, 17.8, 16.12 and
 * 15.16 keep the outcomes that the queue needs.
 */
export async function breakQueue(postgres: OlderPostgres) {
  const holder = await connect(postgres, 'template1');
  await holder.query('listen gatehouse_changes');
  await holder.query('begin; select 1');

  await postgres.execute(`notify gatehouse_changes, 'of a transaction that is forgotten'`);
  await postgres.execute('create unlogged table used_up (i int)');
  await postgres.execute(USE_UP);
  await postgres.execute('drop table used_up');
  await postgres.execute('alter database template0 allow_connections true');
  await postgres.execute('vacuum freeze');
  for (const database of ['template0', 'template1']) {
    const client = await connect(postgres, database);
    await client.query('vacuum freeze');
    await client.end();
  }

  return {
    /** Ends the listening sessions. None can listen again. */
    endListeners: () =>
      // All are ended at once: a remaining session would give the next ones a start position after the broken
      // notification.
      postgres.execute(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'gatehouse change feed%'`),
    /** Ends the session that keeps the notification in the queue. After that the queue can be repaired. */
    letGo: () => holder.end(),
    [Symbol.asyncDispose]: () => holder.end(),
  };
}

async function connect({ url }: OlderPostgres, database: string): Promise<pg.Client> {
  const there = new URL(url);
  there.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: there.href });
  // A session that ends with its server emits an error.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
