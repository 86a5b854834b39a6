import type { MigrationConnection } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/** The time that PostgreSQL may take to cancel an autovacuum after `deadlock_timeout`, in milliseconds. */
const MARGIN_MS = 1_000;

/**
 * Waits until no session vacuums, analyzes or indexes these tables, and prevents all three until the transaction ends.
 * Reads and writes of the tables go on and do not wait. Throws a `LockTimeout` if the wait for a table is longer than
 * `deadlock_timeout` plus a second.
 *
 * PostgreSQL cancels an autovacuum that blocks another session, but only after that session has waited for
 * `deadlock_timeout`, by default a second (PostgreSQL's manual, 24.1.6). A migration waits for its own locks for a
 * shorter time. Without this function, each try of the migration would fail until the table is vacuumed.
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
