import type { MigrationConnection } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { type Pause, pause as pauseByTimer } from '../pause.ts';
import type { Queries } from '../schema.ts';
import { type LockHolder, lockHoldersOf } from './lock-holders.ts';

interface WhileLockedOptions {
  /** Called once, after waiting for the lock for a second, with the sessions that hold it. */
  readonly onLongWait?: (holders: readonly LockHolder[]) => void | Promise<void>;
  /** The pause before that call. */
  readonly pause?: Pause;
}

const LONG_WAIT_MS = 1000;

/**
 * Runs the work under an exclusive lock that covers all programs on the database. The lock belongs to a transaction: a
 * program that dies releases it, and a connection pooler cannot pass it to another session. The work may use a
 * connection without a time limit for statements, and ask whether it still has the lock: that throws if it has not.
 */
export async function whileLocked<T>(
  database: Database,
  lock: number,
  work: (untimed: Queries, stillLocked: () => Promise<void>) => Promise<T>,
  options: WhileLockedOptions = {},
): Promise<T> {
  const untimed = database.openWithoutTimeout();
  try {
    return await untimed.transaction().execute(async (holder) => {
      await liftTimeLimits(holder);
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(holder);
      const granted = new AbortController();
      // A failed report does not end the wait.
      reportLongWait(database, rows[0]?.pid ?? 0, options, granted.signal).catch(() => undefined);
      const taking = sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(holder);
      await taking.finally(() => granted.abort());
      return work(untimed, async () => void (await sql`select`.execute(holder)));
    });
  } finally {
    await untimed.destroy();
  }
}

async function reportLongWait(
  database: Database,
  pid: number,
  { onLongWait, pause = pauseByTimer }: WhileLockedOptions,
  granted: AbortSignal,
): Promise<void> {
  if (onLongWait === undefined) return;
  await pause(LONG_WAIT_MS, granted);
  if (granted.aborted) return;
  const holders = await lockHoldersOf(database, pid);
  if (holders.length > 0 && !granted.aborted) await onLongWait(holders);
}

/**
 * Lifts all time limits for the rest of a transaction. Sessions without limits have none anyway (`sessionSettings`), but a
 * connection pooler in transaction mode may give the transaction the session of a server, or one that was not set up.
 */
export async function liftTimeLimits(transaction: Queries | MigrationConnection): Promise<void> {
  // Some versions of PostgreSQL lack some of these settings.
  await sql`select set_config(name, '0', true) from pg_settings where name in ('lock_timeout',
    'statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`.execute(transaction);
}
