import { Kysely } from 'kysely';
import { createPool, type Pool, type PoolOptions, type PoolState } from './connection-pool.ts';
import { createFairReads, type Turn } from './fair-reads.ts';
import { createInTime, type InTime } from './in-time.ts';
import { LocklessDialect } from './lockless-dialect.ts';
import { PrimaryOnlyDialect } from './primary-only.ts';
import type { Schema } from './schema.ts';

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** How long a caller waits for a connection before it is told that there is none, in milliseconds. */
  readonly connectTimeoutMs?: number;
  /** How long one statement may take, waiting for locks included, in milliseconds. */
  readonly statementTimeoutMs?: number;
  /**
   * How long requests wait for each read that decides on them, for a turn and a connection included, in milliseconds.
   * Without it as long as for any statement, and without turns, as commands do.
   */
  readonly readWithinMs?: number;
}

/** A PostgreSQL database, and the pool of connections to it. */
export interface Database {
  /** For the adapters of this package. A SELECT that it builds fails on a standby; see `onPrimary` for others. */
  readonly queries: Kysely<Schema>;

  /**
   * Connections of their own, whose statements may take as long as they like, and whose migrators take no lock; the
   * caller destroys them.
   */
  openUnhurried(): Kysely<Schema>;

  /** Waits for a read for as long as a request may wait. */
  inTime<T>(read: Promise<T>): Promise<T>;

  /**
   * Makes a read that a user's request needs, when it is its turn, and waits for it for as long as a request may
   * wait. A read whose request has given up before its turn is not made.
   */
  inTurn<T>(turn: Turn, read: () => Promise<T>): Promise<T>;

  /** Reads that wait for their turn are waiting, too. */
  poolState(): PoolState;

  /** Waits for what is under way. */
  close(): Promise<void>;
}

/**
 * Opens a database without connecting yet: a connection is made when one is first needed. What goes wrong
 * with connections later is an `UnavailableFault` of the call that needed one.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, poolSize, connectTimeoutMs = 900, statementTimeoutMs = 5000, readWithinMs } = options;
  const createPoolOf = (pool: Omit<PoolOptions, 'url' | 'connectTimeoutMs'>) =>
    createPool({ url, connectTimeoutMs, ...pool });
  const pool = createPoolOf({ size: poolSize, statementTimeoutMs });
  const queries = queriesOn(pool);
  const inTime: InTime = readWithinMs === undefined ? (read) => read : createInTime(readWithinMs);
  const fairReads = createFairReads(poolSize, inTime);
  return {
    queries,
    // One connection to hold a lock, and one to work under it.
    openUnhurried: () => new Kysely({ dialect: new LocklessDialect({ pool: createPoolOf({ size: 2 }) }) }),
    inTime,
    inTurn: readWithinMs === undefined ? (_turn, read) => read() : fairReads.inTurn,
    poolState: () => {
      const state = pool.state();
      return { ...state, waiting: state.waiting + fairReads.waiting() };
    },
    close: () => queries.destroy(),
  };
}

function queriesOn(pool: Pool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PrimaryOnlyDialect({ pool }) });
}
