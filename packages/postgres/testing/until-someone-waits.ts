import { sql } from 'kysely';
import type { Database } from '../src/database/database.ts';

/** Resolves when a statement waits for a lock in this database. */
export async function untilSomeoneWaits({ queries }: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(queries);
    if (rows.length > 0) return;
  }
}
