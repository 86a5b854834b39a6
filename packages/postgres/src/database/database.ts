import { Kysely } from 'kysely';
import { createDialect } from './dialect.ts';
import { createPool, type PoolState } from './pool/connection-pool.ts';
import type { ConnectionString } from './pool/connection-string.ts';
import { createFairReads, type SharedStatement, type Turn, type UserTurn } from './pool/fair-reads.ts';
import { visitServer } from './pool/fresh-connection.ts';
import { createInTime, type InTime } from './pool/in-time.ts';
import { createPlaces, createPoolShare, type Gate } from './pool/pool-share.ts';
import { createPrimaryWatch, type PrimaryWatch } from './primary/primary-watch.ts';
import type { Queries, Schema } from './schema.ts';
import type { StatementWatch } from './statements/statement-watch.ts';

export interface DatabaseOptions {
  readonly url: ConnectionString;
  readonly poolSize: number;
  /** How long a caller waits for a connection, in milliseconds. Default: 10 s, as in commands. */
  readonly connectTimeoutMs?: number;
  /** How long one statement may take, including waits for locks, in milliseconds. */
  readonly statementTimeoutMs?: number;
  /**
   * How long a request waits for each read, including the wait for its turn and a connection, in milliseconds.
   * Default: as long as for any statement, and without turns, as in commands.
   */
  readonly readWithinMs?: number;
  /** Watches the statements of the pool and its shares. */
  readonly watch?: StatementWatch | undefined;
  /** That of another pool of this process on the same URL. Default: its own. */
  readonly primary?: PrimaryWatch;
}

/** A PostgreSQL database with a pool of connections. */
export interface Database {
  /** For the adapters of this package. A SELECT that it builds fails on a standby; plain SQL uses `onPrimary`. */
  readonly queries: Queries;

  /** Knows where the connections of this pool have to lead. */
  readonly primary: PrimaryWatch;

  /** Tests where the URL leads now, by a new connection, which is closed again; throws if there is none. */
  findPrimary(giveUp?: AbortSignal): Promise<void>;

  /**
   * Opens separate connections without a time limit for statements, whose migrators take no lock; the caller destroys
   * them.
   */
  openUnhurried(): Queries;

  /** Waits for a read as long as a request may wait. */
  inTime<T>(read: Promise<T>): Promise<T>;

  /**
   * Makes a read for a user's request when it is that user's turn, and waits for it as long as a request may wait. A
   * read whose request gives up before its turn is not made.
   */
  inTurn<T>(turn: Turn, read: () => Promise<T>): Promise<T>;

  /** The same for a read that waits for a statement that it shares with others (`createBatchedReads`). */
  sharingInTurn<T>(turn: UserTurn, read: () => Promise<T>): Promise<T>;

  /** Makes such a statement when there is a connection for it. */
  share(kind: SharedStatement, statement: () => Promise<void>): Promise<void>;

  /**
   * Opens a share of the pool: its statements together hold at most so many connections, those of all shares at most half
   * of the pool, and each is taken when the gate is open. It is closed with the pool.
   */
  openShare(connections: number, gate: Gate): Queries;

  /** Counts reads that wait for their turn as waiting. */
  poolState(): PoolState;

  /** Waits for active statements, and closes all connections. */
  close(): Promise<void>;
}

/** Commands make no reads at once that could wait for each other. */
const AT_ONCE: Pick<Database, 'inTurn' | 'sharingInTurn' | 'share'> = {
  inTurn: (_turn, read) => read(),
  sharingInTurn: (_turn, read) => read(),
  share: (_kind, statement) => statement(),
};

/**
 * Opens a database without connecting: connections are opened when they are needed. A failed connection is an
 * `UnavailableFault` of the call that needed it.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, poolSize, connectTimeoutMs = 10_000, statementTimeoutMs = 5000, readWithinMs } = options;
  const { primary = createPrimaryWatch(), watch } = options;
  const pool = createPool({ url, primary, connectTimeoutMs, size: poolSize, statementTimeoutMs, watch });
  const queries = new Kysely<Schema>({ dialect: createDialect(pool) });
  const inTime: InTime = readWithinMs === undefined ? (read) => read : createInTime(readWithinMs);
  const fairReads = createFairReads(poolSize, inTime);
  const ofShares = createPlaces(Math.ceil(poolSize / 2), connectTimeoutMs);
  return {
    queries,
    primary,
    async findPrimary(giveUp) {
      const server = await visitServer(url, giveUp);
      if (server !== undefined) primary.arrived(server);
    },
    // One connection holds a lock, one works under it.
    openUnhurried: () =>
      new Kysely({ dialect: createDialect(createPool({ url, primary, connectTimeoutMs, size: 2 })) }),
    inTime,
    ...(readWithinMs === undefined ? AT_ONCE : fairReads.turns),
    openShare(connections, gate) {
      const places = [createPlaces(connections, connectTimeoutMs), ofShares];
      return new Kysely({ dialect: createDialect(createPoolShare(pool, { places, gate })) });
    },
    poolState: () => {
      const state = pool.state();
      return { ...state, waiting: state.waiting + fairReads.waiting() };
    },
    close: () => queries.destroy(),
  };
}
