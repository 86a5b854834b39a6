import type { MigrationConnection } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import type { Queries } from '../schema.ts';

/**
 * Lifts all time limits for the rest of a transaction. Sessions without limits have none anyway (`sessionSettings`), but a
 * connection pooler in transaction mode may give the transaction the session of a server, or one that was not set up.
 */
export async function liftTimeLimits(transaction: Queries | MigrationConnection): Promise<void> {
  // Not every version has all of these.
  await sql`select set_config(name, '0', true) from pg_settings where name in ('lock_timeout',
    'statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`.execute(transaction);
}
