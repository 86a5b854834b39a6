import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import { type LockHolder, lockHoldersOf } from './lock-holders.ts';
import { type Pause, pause as pauseByTimer } from './pause.ts';
import type { Schema } from './schema.ts';

export interface WhileLockedOptions {
  /** Called once, when the lock has been waited for for a second, with the sessions that hold it. */
  readonly onLongWait?: (holders: readonly LockHolder[]) => void | Promise<void>;
  /** Before that call. */
  readonly pause?: Pause;
}

const LONG_WAIT_MS = 1000;

/**
 * Does the work while nobody else does any under the same lock, in whatever program that uses the database.
 * The lock goes with its transaction: a program that dies leaves none behind, and a connection pooler in
 * between cannot give it to someone else. The work may use a connection whose statements have no time limit.
 */
export async function whileLocked<T>(
  database: Database,
  lock: number,
  work: (unhurried: Kysely<Schema>) => Promise<T>,
  options: WhileLockedOptions = {},
): Promise<T> {
  const unhurried = database.openUnhurried();
  try {
    return await unhurried.transaction().execute(async (holder) => {
      // The role or the database may have limits for other transactions. Not every version has all of these.
      await sql`select set_config(name, '0', true) from pg_settings where name in ('lock_timeout',
        'statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`.execute(holder);
      await takeLock(database, holder, lock, options);
      return work(unhurried);
    });
  } finally {
    await unhurried.destroy();
  }
}

async function takeLock(
  database: Database,
  holder: Kysely<Schema>,
  lock: number,
  options: WhileLockedOptions,
): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(holder);
  const granted = new AbortController();
  // A report that fails does not end the wait.
  reportLongWait(database, rows[0]?.pid ?? 0, options, granted.signal).catch(() => undefined);
  try {
    await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(holder);
  } finally {
    granted.abort();
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
