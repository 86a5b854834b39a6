import type { MigrationConnection } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { type Pause, pause as pauseByTimer } from '../pause.ts';
import type { Queries } from '../schema.ts';

/** A session that holds a lock for which another session waits. */
export interface LockHolder {
  /** The backend's process id; 0 for a prepared transaction, which belongs to no process. */
  readonly pid: number;
  /** The application name; null if the session has not set one. */
  readonly application: string | null;
  /** How long the session's transaction has run, in milliseconds; null if the role may not read that. */
  readonly transactionMs: number | null;
  /** The tables that this session vacuums, analyzes or indexes, and whose locks the other session waits for. */
  readonly maintains: readonly string[];
}

/** The time between two look-ups of the sessions that hold locks, in milliseconds. */
const WATCH_INTERVAL_MS = 50;

/** Returns the sessions that hold the locks for which a backend waits now. */
export async function lockHoldersOf({ queries }: Database, pid: number): Promise<readonly LockHolder[]> {
  const { rows } = await sql<LockHolder>`
    select holder.pid, coalesce(nullif(application_name, ''), nullif(backend_type, 'client backend')) as application,
      (extract(epoch from clock_timestamp() - xact_start) * 1000)::bigint as "transactionMs",
      array(select held.relation::regclass::text from pg_locks as held
        join pg_locks as wanted on wanted.pid = ${pid}::integer and not wanted.granted
          and (wanted.database, wanted.relation) = (held.database, held.relation)
        where held.pid = holder.pid and held.granted and held.mode = 'ShareUpdateExclusiveLock') as maintains
    from unnest(pg_blocking_pids(${pid}::integer)) as holder (pid)
    left join pg_stat_activity as activity on activity.pid = holder.pid`.execute(queries);
  return rows;
}

/** Returns the process id of the backend that serves this connection. */
export async function backendOf(connection: Queries | MigrationConnection): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
  return rows[0]?.pid ?? 0;
}

interface LongWait {
  /** The process id of the backend that may wait. */
  readonly pid: number;
  /**
   * Whether the backend asks for its lock as soon as the watch begins. If another session then holds that lock after
   * one second, the wait is reported at once. Default: false, because the backend may ask for its lock later.
   */
  readonly waitsAtOnce?: boolean;
  /** Called once, with the sessions for whose locks the backend has waited for a second. */
  readonly report: ((holders: readonly LockHolder[]) => void | Promise<void>) | undefined;
  readonly pause?: Pause | undefined;
}

const LONG_WAIT_MS = 1000;

/** Reports once if a backend waits for a lock for about a second. The returned function ends the watch. */
export function reportLongWait(
  database: Database,
  { pid, waitsAtOnce = false, report, pause = pauseByTimer }: LongWait,
): () => void {
  const stopped = new AbortController();
  let isWaiting = waitsAtOnce;
  async function watch(): Promise<void> {
    while (report !== undefined) {
      await pause(LONG_WAIT_MS, stopped.signal);
      if (stopped.signal.aborted) return;
      const holders = await lockHoldersOf(database, pid);
      if (stopped.signal.aborted) return;
      if (isWaiting && holders.length > 0) return report(holders);
      isWaiting = holders.length > 0;
    }
  }
  // If the look-up or the report fails, the backend waits and works on without a report.
  watch().catch(() => undefined);
  return () => stopped.abort();
}

/**
 * Remembers the sessions for whose locks a backend waited last, because PostgreSQL does not name them after a time-out.
 * `backend` returns the backend's process id, once it is known.
 */
export function watchLockHolders(database: Database, backend: () => number | undefined) {
  let seen: readonly LockHolder[] = [];
  const stopped = new AbortController();
  (async () => {
    for (;;) {
      await pauseByTimer(WATCH_INTERVAL_MS, stopped.signal);
      const pid = backend();
      if (stopped.signal.aborted) return;
      const holders = pid === undefined ? [] : await lockHoldersOf(database, pid);
      if (holders.length > 0) seen = holders;
    }
    // If a look-up fails, the wait is reported without the sessions.
  })().catch(() => undefined);
  return { seen: () => seen, stop: () => stopped.abort() };
}

/**
 * Describes sessions for a message: `process 4711 ("psql", in a transaction for 93 s)` or `process 4712 (vacuums, analyzes
 * or indexes tokens)`.
 */
export function describeHolders(holders: readonly LockHolder[]): string {
  if (holders.length === 0) return 'another session';
  return holders
    .map(({ pid, application, transactionMs, maintains }) => {
      const known = [
        application && JSON.stringify(application),
        maintains.length > 0 && `vacuums, analyzes or indexes ${maintains.join(' and ')}`,
        transactionMs !== null && `in a transaction for ${Math.floor(transactionMs / 1000)} s`,
      ].filter(Boolean);
      const session = pid === 0 ? 'a prepared transaction' : `process ${pid}`;
      return known.length === 0 ? session : `${session} (${known.join(', ')})`;
    })
    .join(' and ');
}
