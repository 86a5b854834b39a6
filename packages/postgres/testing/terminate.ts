import { sql } from 'kysely';
import type { Database } from '../src/database/database.ts';

/** Terminates the sessions of all feeds on this database; returns their number. */
export async function terminateListeners({ queries }: Database): Promise<number> {
  const { rows } = await sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database()
      and application_name similar to 'gatehouse (change|usage) feed%'`.execute(queries);
  return rows.length;
}
