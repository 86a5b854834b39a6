import { Kysely } from 'kysely';
import { createDialect } from './dialect.ts';
import { createPool, type PoolState } from './pool/connection-pool.ts';
import type { ConnectionString } from './pool/connection-string.ts';
import { visitServer } from './pool/fresh-connection.ts';
import { createInTime, type InTime } from './pool/in-time.ts';
import { createLanePool } from './pool/lane-pool.ts';
import { createLanes } from './pool/lanes.ts';
import { createPoolShare, type Gate } from './pool/pool-share.ts';
import { createSharedReads, type ShareReads, shareAtOnce } from './pool/shared-reads.ts';
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
   * How long a request waits for each read, including the wait for its turn and a connection, in milliseconds.
   * Default: as long as for any statement, and without turns, as in commands.
   */
  readonly readWithinMs?: number;
  /** Watches the statements of the pool and its shares. */
  readonly watch?: StatementWatch | undefined;
  /** The watch of another pool of this process on the same URL. Default: a new one. */
  readonly primary?: PrimaryWatch;
}

/** A PostgreSQL database with a pool of connections. */
export interface Database {
  /**
   * The query builder for the adapters of this package. Its SELECTs fail on a standby; plain SQL uses `onPrimary`. Statements
   * wait for a connection in the lane of their asker (`onBehalf`), if they have one.
   */
  readonly queries: Queries;

  /** Knows where the connections of this pool have to lead. */
  readonly primary: PrimaryWatch;

  /** Tests where the URL leads now, by a new connection, which is closed again; throws if there is none. */
  findPrimary(giveUp?: AbortSignal): Promise<void>;

  /**
   * Opens separate connections without a time limit for statements, whose migrators take no lock; the caller destroys
   * them.
   */
  openWithoutTimeout(): Queries;

  /** Waits for a read as long as a request may wait. */
  inTime<T>(read: Promise<T>): Promise<T>;

  /** Makes reads of several requests by one statement, and waits for each as long as a request may wait. */
  readonly shareReads: ShareReads;

  /**
   * Opens a share of the pool. Its statements together hold at most this many connections, and all shares together at
   * most half of the pool. A statement waits until the gate is open. The share is closed with the pool.
   */
  openShare(connections: number, gate: Gate): Queries;

  /** Counts what waits in lanes as waiting, extensions excepted. */
  poolState(): PoolState;

  /** Waits for active statements, and closes all connections. */
  close(): Promise<void>;
}

/**
 * Opens a database without connecting: connections are opened when they are needed. A failed connection is an
 * `UnavailableFault` of the call that needed it.
 */
export function openDatabase(options: DatabaseOptions): Database {
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
  const queries = new Kysely<Schema>({
    dialect: createDialect(hasTurns ? createLanePool(pool, lanes) : pool),
  });
  return {
    queries,
    primary,
    async findPrimary(giveUp) {
      const server = await visitServer(url, giveUp);
      if (server !== undefined) primary.arrived(server);
    },
    // Two connections: one holds a lock, and the other runs the statements.
    openWithoutTimeout: () =>
      new Kysely({ dialect: createDialect(createPool({ url, primary, connectTimeoutMs, size: 2 })) }),
    inTime,
    shareReads: hasTurns ? createSharedReads(lanes, inTime) : shareAtOnce,
    openShare(connections, gate) {
      const share = createPoolShare(pool, { lanes: [lanes.extension(connections), lanes.extensions], gate });
      return new Kysely({ dialect: createDialect(share) });
    },
    poolState: () => {
      const state = pool.state();
      return { ...state, waiting: state.waiting + lanes.waiting() };
    },
    close: () => queries.destroy(),
  };
}
