import pg from 'pg';
import { until } from '../stage/until.ts';

const SLOT = 'gatehouse_full';

/** Has the server keep all of its log from now on. Answers what ends that. */
export async function keepLog(url: string): Promise<() => Promise<void>> {
  await execute(url, `select pg_create_physical_replication_slot('${SLOT}', true)`);
  return () => execute(url, `select pg_drop_replication_slot('${SLOT}'); checkpoint`);
}

/** Has the log go on in one file after the other, until the server cannot make another, and ends. */
export async function untilLogIsFull(url: string): Promise<void> {
  await until('PostgreSQL ends', () =>
    execute(url, `select pg_logical_emit_message(true, 'gatehouse', 'full'), pg_switch_wal()`).then(
      () => false,
      () => true,
    ),
  );
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // A session that is ended says so twice.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
