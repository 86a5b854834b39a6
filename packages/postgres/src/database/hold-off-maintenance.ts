import type { MigrationConnection } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';

/** PostgreSQL cancels an autovacuum after `deadlock_timeout`; that takes it a moment. */
const MARGIN_MS = 1_000;

/**
 * Waits until no one vacuums, analyzes or indexes these tables, and keeps it so until the transaction ends. Reads and writes go
 * on meanwhile, and none waits behind it.
 *
 * An autovacuum ends for who waits for it, but only after `deadlock_timeout`, a second: a migration gives up sooner, and would
 * wait in vain until the table is vacuumed (PostgreSQL's manual, "Lock Management", `deadlock_timeout`).
 */
export async function holdOffMaintenance(
  transaction: MigrationConnection,
  tables: readonly string[],
): Promise<void> {
  if (tables.length === 0) return;
  await sql`
    select set_config('lock_timeout', (setting::integer + ${sql.lit(MARGIN_MS)})::text, true)
    from pg_settings where name = 'deadlock_timeout'`.execute(transaction);
  for (const table of tables) {
    await sql`lock table ${sql.raw(table)} in share update exclusive mode`.execute(transaction);
  }
}
