import type { OwnPostgres } from '../stage/postgres.ts';
import { until } from '../stage/until.ts';

const SLOT = 'gatehouse_full';

/** Makes the server keep all of its write-ahead log from now on. Returns a function that ends this. */
export async function keepLog({ execute }: OwnPostgres): Promise<() => Promise<void>> {
  await execute(`select pg_create_physical_replication_slot('${SLOT}', true)`);
  return () => execute(`select pg_drop_replication_slot('${SLOT}'); checkpoint`);
}

/** Switches to one log file after the other, until the server cannot create another, and stops. */
export async function untilLogIsFull({ execute }: OwnPostgres): Promise<void> {
  await until('PostgreSQL ends', () =>
    execute(`select pg_logical_emit_message(true, 'gatehouse', 'full'), pg_switch_wal()`).then(
      () => false,
      () => true,
    ),
  );
}
