import { Kysely, type PostgresPool } from 'kysely';
import { createDialect } from './dialect.ts';
import { createPool, type PoolState } from './pool/connection-pool.ts';
import type { ConnectionString } from './pool/connection-string.ts';
import { visitServer } from './pool/fresh-connection.ts';
import { createInTime, type InTime } from './pool/in-time.ts';
import { createLanePool, createLanes } from './pool/lanes.ts';
import { createPoolShare, type Gate } from './pool/pool-share.ts';
import { createSharedReads, shareAtOnce } from './pool/shared-reads.ts';
import { createPrimaryWatch, type PrimaryWatch } from './primary/primary-watch.ts';
import type { Queries, Schema } from './schema.ts';
import type { StatementWatch } from './statements/statement-watch.ts';

export interface DatabaseOptions {
  readonly url: ConnectionString;
  readonly poolSize: number;
  /** The longest wait for a connection, in milliseconds. Default: 10 s, as in commands. */
  readonly connectTimeoutMs?: number;
  /** The longest time of one statement, including waits for locks, in milliseconds. */
  readonly statementTimeoutMs?: number;
  /**
   * How long a request waits for each read, in milliseconds, including the wait for a connection. With this option, users
   * take turns at connections. Default, for commands: as long as for any statement, and without turns.
   */
  readonly readWithinMs?: number;
  /** Watches the statements of the pool and its shares. */
  readonly watch?: StatementWatch | undefined;
  /** The watch of another pool of this process on the same URL, so that both know of a failover. Default: a new one. */
  readonly primary?: PrimaryWatch;
}

/** A PostgreSQL database with a pool of connections. */
export type Database = ReturnType<typeof openDatabase>;

/**
 * Opens a database without connecting: connections are opened when they are needed. A failed connection is an
 * `UnavailableFault` of the call that needed it.
 */
export function openDatabase(options: DatabaseOptions) {
  const { url, poolSize, connectTimeoutMs = 10_000, statementTimeoutMs = 5000, readWithinMs } = options;
  const { primary = createPrimaryWatch(), watch } = options;
  const pool = createPool({ url, primary, connectTimeoutMs, size: poolSize, statementTimeoutMs, watch });
  // In a command, no user waits for another.
  const hasTurns = readWithinMs !== undefined;
  const inTime: InTime = hasTurns ? createInTime(readWithinMs) : (read) => read;
  const lanes = createLanes(poolSize, {
    inTime,
    // Readers of a page wait longer than API clients.
    pageMs: statementTimeoutMs,
    extensionMs: connectTimeoutMs,
  });
  const queriesOn = (connections: PostgresPool): Queries =>
    new Kysely<Schema>({ dialect: createDialect(connections) });
  const queries = queriesOn(hasTurns ? createLanePool(pool, lanes) : pool);
  return {
    /**
     * The query builder for the adapters of this package. Its SELECTs fail on a standby; plain SQL uses `onPrimary`.
     * Statements that are made for a user or a client (`onBehalf`) wait for a connection in the lane of that user or client.
     */
    queries,

    /** Knows where the connections of this pool have to lead. */
    primary,

    /** Tests where the URL leads now, by a new connection, which is closed again; throws if there is none. */
    async findPrimary(giveUp?: AbortSignal): Promise<void> {
      const server = await visitServer(url, giveUp);
      if (server !== undefined) primary.arrived(server);
    },

    /**
     * Opens two separate connections without a time limit for statements: one can hold a lock while the other runs the
     * statements. Their migrators take no lock. The caller destroys them.
     */
    openWithoutTimeout: () => queriesOn(createPool({ url, primary, connectTimeoutMs, size: 2 })),

    /** Waits for a read as long as a request may wait. */
    inTime,

    /** Makes reads of several requests by one statement, and waits for each as long as a request may wait. */
    shareReads: hasTurns ? createSharedReads(lanes, inTime) : shareAtOnce,

    /**
     * Opens a share of the pool. Its statements together hold at most this many connections, and all shares together at
     * most half of the pool. A statement waits until the gate is open. The share is closed with the pool.
     */
    openShare: (connections: number, gate: Gate) =>
      queriesOn(createPoolShare(pool, { lanes: [lanes.extension(connections), lanes.extensions], gate })),

    /** Counts the connections and the waiting statements, except statements of extensions that wait in their lanes. */
    poolState(): PoolState {
      const state = pool.state();
      return { ...state, waiting: state.waiting + lanes.waiting() };
    },

    /** Waits for active statements, and closes all connections. */
    close: () => queries.destroy(),
  };
}
