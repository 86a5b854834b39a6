import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Does the work while nobody else does any under the same lock, in whatever program that uses the database.
 * The lock goes with its transaction: a program that dies leaves none behind, and a connection pooler in
 * between cannot give it to someone else. The work may use a connection whose statements have no time limit.
 */
export async function whileLocked<T>(
  database: Database,
  lock: number,
  work: (unhurried: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  const unhurried = database.openUnhurried();
  try {
    return await unhurried.transaction().execute(async (holder) => {
      // The role or the database may have limits for other transactions. Not every version has all of these.
      await sql`select set_config(name, '0', true) from pg_settings where name in ('lock_timeout',
        'statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`.execute(holder);
      await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(holder);
      return work(unhurried);
    });
  } finally {
    await unhurried.destroy();
  }
}
