import { ScramClient } from '@gatehouse/scram-client';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { connectFault, isReadTimeout, ReadOnlyServer, statementFault } from './faults.ts';
import { statementName } from './statement-names.ts';
import { createValueTypes } from './value-types.ts';

export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** How long a caller waits for a connection, free or new, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** How long a statement may take, in milliseconds; without it there is no limit to anything but connecting. */
  readonly statementTimeoutMs?: number;
}

/** For the answer of a server that gave a statement up to arrive, before the connection itself is given up. */
const ANSWER_MS = 1000;

/** Longer than any of our transactions pauses: a process that hangs must not hold its locks for good. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** How many connections a pool has, and how many callers wait for one. */
export interface PoolState {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Pool extends PostgresPool {
  state(): PoolState;
}

/** pg's pool as kysely wants it: with named statements, and faults that are the domain's. */
export function createPool(options: PoolOptions): Pool {
  const { url, size, connectTimeoutMs, statementTimeoutMs } = options;
  const broken = new WeakSet<pg.ClientBase>();
  const pool = new pg.Pool({
    Client: ScramClient,
    connectionString: url,
    fallback_application_name: 'gatehouse',
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: createValueTypes(),
    ...(statementTimeoutMs !== undefined && { query_timeout: statementTimeoutMs + ANSWER_MS }),
    async onConnect(client: pg.ClientBase) {
      // The pool listens to idle connections only: one that is lost between two statements of a transaction
      // would end the process. The next statement on it reports the loss, the first one too.
      client.on('error', () => broken.add(client));
      if (statementTimeoutMs === undefined) return;
      // As start-up parameters these would be refused by a connection pooler in between.
      await client.query(
        `set statement_timeout = ${statementTimeoutMs};
         set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
      );
    },
  });
  // An idle connection was lost. The pool has dropped it and makes another when one is needed.
  pool.on('error', () => undefined);

  return {
    options: {},
    async connect() {
      try {
        return namedStatements(await pool.connect(), broken);
      } catch (error) {
        throw connectFault(error);
      }
    },
    end: () => pool.end(),
    state: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

function namedStatements(client: pg.PoolClient, broken: WeakSet<pg.ClientBase>): PostgresPoolClient {
  async function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    try {
      // Statements without parameters are BEGIN and COMMIT and the like, which gain nothing from a name.
      const name = parameters.length > 0 ? statementName(sql) : undefined;
      const result = await client.query({ text: sql, values: [...parameters], ...(name && { name }) });
      return result as PostgresQueryResult<R>;
    } catch (error) {
      // The answer may still come, and would be taken for another statement's.
      if (isReadTimeout(error)) broken.add(client);
      const fault = statementFault(error, broken.has(client));
      // Kept in use, it would refuse for good what another connection may do.
      if (fault instanceof ReadOnlyServer) broken.add(client);
      throw fault;
    }
  }
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || broken.has(client)),
  };
}
