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
  /** The longest wait for a connection, in milliseconds. Default: 10 seconds. */
  readonly connectTimeoutMs?: number;
  /** The longest time of one statement, including waits for locks, in milliseconds. */
  readonly statementTimeoutMs?: number;
  /**
   * How long a request waits for each read, in milliseconds, including the wait for a connection. With this option,
   * statements wait for connections in a queue in which users take turns. Commands of the command line leave this
   * option out: they have no such queue, and wait for a read as long as for any other statement.
   */
  readonly readWithinMs?: number;
  /** Called for each statement on this pool, including the statements of extensions. */
  readonly watch?: StatementWatch | undefined;
  /**
   * The watch of another pool of this process on the same URL, so that both pools learn of a failover. Default: a new
   * watch.
   */
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
  // Commands of the command line leave `readWithinMs` out. A command serves one user, so no user waits for another.
  const hasTurns = readWithinMs !== undefined;
  const inTime: InTime = hasTurns ? createInTime(readWithinMs) : (read) => read;
  const lanes = createLanes(poolSize, {
    inTime,
    // A person who opens a web page waits longer than an API client.
    pageMs: statementTimeoutMs,
    extensionMs: connectTimeoutMs,
  });
  const queriesOn = (connections: PostgresPool): Queries =>
    new Kysely<Schema>({ dialect: createDialect(connections) });
  const queries = queriesOn(hasTurns ? createLanePool(pool, lanes) : pool);
  return {
    /**
     * The query builder for the adapters of this package. Its SELECTs fail on a standby; plain SQL needs `onPrimary`
     * for that. Statements that are made for a user or a client (`onBehalf`) wait for a connection in a queue in which
     * users take turns.
     */
    queries,

    /** Knows to which server the connections of this pool must be connected. */
    primary,

    /**
     * Opens a new connection to find the server to which the URL connects now, and closes the connection. Throws if the
     * connection fails.
     */
    async findPrimary(giveUp?: AbortSignal): Promise<void> {
      const server = await visitServer(url, giveUp);
      if (server !== undefined) primary.arrived(server);
    },

    /**
     * Opens two separate connections without a time limit for statements: one connection can hold a lock while the
     * other runs statements. Kysely takes no lock when it migrates on them. The caller must close them (`destroy`).
     */
    openWithoutTimeout: () => queriesOn(createPool({ url, primary, connectTimeoutMs, size: 2 })),

    /**
     * Waits for a read at most `readWithinMs`, and then rejects. Without that option, waits until the read has ended.
     */
    inTime,

    /**
     * Combines reads of several requests into one statement, and waits for each read as long as a request may wait.
     */
    shareReads: hasTurns ? createSharedReads(lanes, inTime) : shareAtOnce,

    /**
     * Opens a share of the pool for an extension. The statements of the share together use at most this many
     * connections, and the statements of all shares at most half of the pool. Each statement waits until `gate` allows
     * it. Closing the pool also closes the share.
     */
    openShare: (connections: number, gate: Gate) =>
      queriesOn(createPoolShare(pool, { lanes: [lanes.extension(connections), lanes.extensions], gate })),

    /**
     * Counts the connections and the waiting statements. Statements that wait for the share of an extension are not
     * counted.
     */
    poolState(): PoolState {
      const state = pool.state();
      return { ...state, waiting: state.waiting + lanes.waiting() };
    },

    /** Waits for active statements, and closes all connections. */
    close: () => queries.destroy(),
  };
}
