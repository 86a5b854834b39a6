import { Socket } from 'node:net';
import { ScramClient } from '@gatehouse/scram-client';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { applicationName } from '../../editions/application-name.ts';
import {
  connectFault,
  DatabaseSetupFault,
  isReadTimeout,
  ReadOnlyServer,
  statementFault,
} from '../faults.ts';
import { createPrimaryConnections } from '../primary/primary-connections.ts';
import type { PrimaryWatch } from '../primary/primary-watch.ts';
import { createStatementNames } from '../statements/statement-names.ts';
import type { StatementWatch } from '../statements/statement-watch.ts';
import { type ConnectionString, currentUrl } from './connection-string.ts';
import { poolerVersion } from './fresh-connection.ts';
import { isOfPooler, type OpenedAs } from './operator-mistakes.ts';
import { NO_TIME_LIMITS, sessionSettings } from './session-settings.ts';
import { createValueTypes } from './value-types.ts';

interface PoolOptions {
  readonly url: ConnectionString;
  readonly size: number;
  /** Is told to which server each new connection is connected, and decides which connections may be used. */
  readonly primary: PrimaryWatch;
  /** The longest wait for a free or new connection, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** The longest time of a statement, in milliseconds. Default: no limit, except `LOCK_WAIT_MS` for a lock. */
  readonly statementTimeoutMs?: number;
  readonly watch?: StatementWatch | undefined;
}

/**
 * How long this process waits for an answer after the time limit of a statement, in milliseconds. Within that time, the
 * server normally reports that it canceled the statement. Otherwise the connection is closed.
 */
const ANSWER_MS = 1000;

/**
 * The longest pause between two statements of a transaction, in milliseconds, so that a process that hangs does not
 * keep its locks. No transaction of Gatehouse pauses that long.
 */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * The longest wait for a lock, in milliseconds, for statements without a time limit. A statement that waits for ever
 * would report nothing.
 */
export const LOCK_WAIT_MS = 5000;

/** Counts the connections of a pool, and the callers that wait for a connection. */
export interface PoolState {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/** A connection of a pool. */
interface PooledClient extends pg.PoolClient {
  /** The socket, which this module creates, because pg cannot close a connection that is executing a statement. */
  readonly socket: Socket;
  /**
   * Whether the connection was lost or may not be used again. The pool closes such a connection when it is released.
   */
  isBroken: boolean;
  openedAs: OpenedAs;
}

/**
 * Creates a pool of pg's connections for kysely. The pool prepares statements under names, and throws the faults of the
 * domain instead of pg's errors.
 */
export function createPool(options: PoolOptions): PostgresPool & { state(): PoolState } {
  const { url, size, primary, connectTimeoutMs, statementTimeoutMs, watch } = options;
  const admit = createPrimaryConnections(primary);
  const statementName = createStatementNames();
  const limits =
    statementTimeoutMs === undefined
      ? { ...NO_TIME_LIMITS, lockMs: LOCK_WAIT_MS }
      : { ...NO_TIME_LIMITS, statementMs: statementTimeoutMs, idleInTransactionMs: IDLE_IN_TRANSACTION_MS };
  const pool = new pg.Pool({
    Client: clientOf(url),
    fallback_application_name: applicationName(),
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: createValueTypes(),
    ...(statementTimeoutMs !== undefined && { query_timeout: statementTimeoutMs + ANSWER_MS }),
    async onConnect(connected: pg.ClientBase) {
      const client = connected as PooledClient;
      // pg's pool handles errors of idle connections only. Without this listener, a connection that is lost between two
      // statements of a transaction would end the process. The next statement on the connection reports the loss.
      client.on('error', () => {
        client.isBroken = true;
      });
      // The settings are sent as a statement, because a connection pooler would refuse them as start-up parameters.
      const results: unknown = await client.query(sessionSettings(limits));
      client.openedAs = (results as pg.QueryResult<OpenedAs>[]).at(-1)?.rows[0] as OpenedAs;
      await admit(client, client.socket);
    },
  });
  // The pool emits an error when an idle connection is lost. The pool has already removed that connection, and opens a
  // new one when one is needed.
  pool.on('error', () => undefined);

  let pooler: Promise<string | undefined> | undefined;
  async function withPoolerVersion(fault: DatabaseSetupFault): Promise<DatabaseSetupFault> {
    pooler ??= poolerVersion(url);
    const version = await pooler;
    return version === undefined ? fault : fault.of(version);
  }

  async function query<R>(
    client: PooledClient,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<PostgresQueryResult<R>> {
    const end = watch?.(sql);
    try {
      // Statements without parameters, such as BEGIN and COMMIT, gain nothing from a name.
      const name = parameters.length > 0 ? statementName(sql) : undefined;
      const result = await client.query({ text: sql, values: [...parameters], ...(name && { name }) });
      end?.();
      return result as PostgresQueryResult<R>;
    } catch (error) {
      // The answer may still arrive. If this connection were used again, pg would take that answer for the answer to
      // the next statement.
      if (isReadTimeout(error)) client.isBroken = true;
      const fault = statementFault(error, client.isBroken, client.openedAs);
      // A read-only server would refuse all further changes on this connection. A new connection may reach the primary.
      if (fault instanceof ReadOnlyServer) client.isBroken = true;
      end?.(fault);
      throw fault instanceof DatabaseSetupFault && isOfPooler(fault) ? await withPoolerVersion(fault) : fault;
    }
  }

  return {
    options: {},
    async connect() {
      try {
        const client = (await pool.connect()) as PooledClient;
        const send = <R>(sql: string, parameters: readonly unknown[]) => query<R>(client, sql, parameters);
        return {
          query: send as PostgresPoolClient['query'],
          release: (destroy) => client.release(destroy || client.isBroken),
        };
      } catch (error) {
        throw connectFault(error, () => new pg.Client({ connectionString: currentUrl(url) }) as OpenedAs);
      }
    },
    end: () => pool.end(),
    state: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/**
 * Returns the class of the pool's connections. Each new connection reads the URL again, because the URL may have
 * changed since the pool was created, and pg's pool would use the old one.
 */
function clientOf(url: ConnectionString): typeof ScramClient {
  return class extends ScramClient {
    readonly socket: Socket;
    isBroken = false;

    constructor(config: pg.ClientConfig) {
      const socket = new Socket();
      super({ ...config, connectionString: currentUrl(url), stream: () => socket });
      this.socket = socket;
    }
  };
}
