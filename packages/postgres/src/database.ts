import { Kysely, PostgresDialect } from 'kysely';
import { createPool, type PoolOptions } from './connection-pool.ts';
import type { Schema } from './schema.ts';

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** How long a caller waits for a connection before it is told that there is none, in milliseconds. */
  readonly connectTimeoutMs?: number;
  /** How long one statement may take, waiting for locks included, in milliseconds. */
  readonly statementTimeoutMs?: number;
}

/** A PostgreSQL database, and the pool of connections to it. */
export interface Database {
  /** For the adapters of this package. */
  readonly queries: Kysely<Schema>;

  /** Connections of their own, whose statements may take as long as they like; the caller destroys them. */
  openUnhurried(): Kysely<Schema>;

  /** Waits for what is under way. */
  close(): Promise<void>;
}

/**
 * Opens a database without connecting yet: a connection is made when one is first needed. What goes wrong
 * with connections later is an `UnavailableFault` of the call that needed one.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, poolSize, connectTimeoutMs = 900, statementTimeoutMs = 5000 } = options;
  const connect = (pool: Omit<PoolOptions, 'url' | 'connectTimeoutMs'>) =>
    new Kysely<Schema>({
      dialect: new PostgresDialect({ pool: createPool({ url, connectTimeoutMs, ...pool }) }),
    });
  const queries = connect({ size: poolSize, statementTimeoutMs });
  return {
    queries,
    // One connection to hold a lock, and one to work under it.
    openUnhurried: () => connect({ size: 2 }),
    close: () => queries.destroy(),
  };
}
