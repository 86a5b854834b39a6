import type { MigrationConnection } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Pause } from '../pause.ts';
import type { Queries } from '../schema.ts';
import { backendOf, type LockHolder, reportLongWait } from './lock-holders.ts';

interface WhileLockedOptions {
  /** Called once, after waiting for the lock for a second, with the sessions that hold it. */
  readonly onLongWait?: (holders: readonly LockHolder[]) => void | Promise<void>;
  /** Waits for a second before `onLongWait` is called. */
  readonly pause?: Pause;
}

/**
 * Runs the work while it holds an exclusive lock, so that no other process on the database works under that lock. The
 * lock belongs to a transaction: PostgreSQL releases the lock if this process dies, and a connection pooler cannot pass
 * it to another session. The work gets a connection without a time limit for statements, and `stillLocked`, which
 * throws if the lock was lost.
 */
export async function whileLocked<T>(
  database: Database,
  lock: number,
  work: (untimed: Queries, stillLocked: () => Promise<void>) => Promise<T>,
  { onLongWait, pause }: WhileLockedOptions = {},
): Promise<T> {
  const untimed = database.openWithoutTimeout();
  try {
    return await untimed.transaction().execute(async (holder) => {
      await liftTimeLimits(holder);
      const waiting = { pid: await backendOf(holder), waitsAtOnce: true, report: onLongWait, pause };
      const stopReporting = reportLongWait(database, waiting);
      await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(holder).finally(stopReporting);
      return work(untimed, async () => void (await sql`select`.execute(holder)));
    });
  } finally {
    await untimed.destroy();
  }
}

/**
 * Removes all time limits for the rest of a transaction. The sessions of `openWithoutTimeout` limit only waits for
 * locks, but a connection pooler in transaction mode may run the transaction in another session.
 */
export async function liftTimeLimits(transaction: Queries | MigrationConnection): Promise<void> {
  // Some versions of PostgreSQL lack some of these settings.
  await sql`select set_config(name, '0', true) from pg_settings where name in ('lock_timeout',
    'statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`.execute(transaction);
}
