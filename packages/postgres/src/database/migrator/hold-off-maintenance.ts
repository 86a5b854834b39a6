import type { MigrationConnection } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/** The time that PostgreSQL takes to cancel an autovacuum after `deadlock_timeout`. */
const MARGIN_MS = 1_000;

/**
 * Waits until no session vacuums, analyzes or indexes these tables, and keeps it so until the transaction ends. Reads and
 * writes go on meanwhile, and none waits behind it. Throws a `LockTimeout` after `deadlock_timeout` and a second for a table.
 *
 * PostgreSQL cancels an autovacuum that blocks another session, but only after that session has waited for `deadlock_timeout`,
 * a second (PostgreSQL's manual, 24.1.6). A migration gives up sooner, so that every try would fail until the table is
 * vacuumed.
 */
export async function holdOffMaintenance(
  transaction: MigrationConnection,
  tables: readonly string[],
): Promise<void> {
  if (tables.length === 0) return;
  await sql`
    select set_config('lock_timeout', least(setting::bigint + ${sql.lit(MARGIN_MS)}, 2147483647)::text, true)
    from pg_settings where name = 'deadlock_timeout'`.execute(transaction);
  for (const table of tables) {
    await sql`lock table ${sql.raw(table)} in share update exclusive mode`.execute(transaction);
  }
}
