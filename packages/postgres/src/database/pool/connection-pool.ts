import { Socket } from 'node:net';
import { ScramClient } from '@gatehouse/scram-client';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import {
  connectFault,
  DatabaseSetupFault,
  isReadTimeout,
  ReadOnlyServer,
  statementFault,
} from '../faults.ts';
import { createPrimaryConnections } from '../primary/primary-connections.ts';
import type { PrimaryWatch } from '../primary/primary-watch.ts';
import { createStatementNames, type StatementNames } from '../statements/statement-names.ts';
import type { StatementWatch } from '../statements/statement-watch.ts';
import { type ConnectionString, currentUrl } from './connection-string.ts';
import { isOfPooler, type OpenedAs } from './operator-mistakes.ts';
import { poolerVersion } from './pooler-version.ts';
import { NO_TIME_LIMITS, sessionSettings } from './session-settings.ts';
import { createValueTypes } from './value-types.ts';

interface PoolOptions {
  readonly url: ConnectionString;
  readonly size: number;
  /** Notes where each connection leads, and says which may be used. */
  readonly primary: PrimaryWatch;
  /** The longest wait for a free or new connection, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** The longest time of a statement, in milliseconds. Default: no limit except for connecting. */
  readonly statementTimeoutMs?: number;
  readonly watch?: StatementWatch | undefined;
}

/** Time for the server's own cancellation to arrive before the connection is given up. */
const ANSWER_MS = 1000;

/** Longer than any pause in our transactions: a process that hangs must not keep its locks. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** The longest wait for a lock of a statement without a time limit, in milliseconds. An endless wait would report nothing. */
export const LOCK_WAIT_MS = 5000;

/** The number of a pool's connections, and of the callers that wait for one. */
export interface PoolState {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/** A pool of pg for kysely, with named statements and the domain's faults. */
export function createPool(options: PoolOptions): PostgresPool & { state(): PoolState } {
  const { url, size, primary, connectTimeoutMs, statementTimeoutMs, watch } = options;
  const broken = new WeakSet<pg.ClientBase>();
  const sockets = new WeakMap<pg.ClientBase, Socket>();
  const openedAs = new WeakMap<pg.ClientBase, OpenedAs>();
  const admit = createPrimaryConnections(primary);
  const statementName = createStatementNames();
  const limits =
    statementTimeoutMs === undefined
      ? { ...NO_TIME_LIMITS, lockMs: LOCK_WAIT_MS }
      : { ...NO_TIME_LIMITS, statementMs: statementTimeoutMs, idleInTransactionMs: IDLE_IN_TRANSACTION_MS };
  const pool = new pg.Pool({
    Client: clientOf(url, sockets),
    fallback_application_name: 'gatehouse',
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: createValueTypes(),
    ...(statementTimeoutMs !== undefined && { query_timeout: statementTimeoutMs + ANSWER_MS }),
    async onConnect(client: pg.ClientBase) {
      // The pool listens to idle connections only: a loss between two statements of a transaction would end the
      // process. The next statement reports the loss, also the first one.
      client.on('error', () => broken.add(client));
      // The settings are sent as a statement, because a connection pooler would refuse them as start-up parameters.
      const results: unknown = await client.query(sessionSettings(limits));
      openedAs.set(client, (results as pg.QueryResult<OpenedAs>[]).at(-1)?.rows[0] as OpenedAs);
      const socket = sockets.get(client);
      if (socket) await admit(client, socket);
    },
  });
  let asked: Promise<string | undefined> | undefined;
  const withVersion = async (fault: DatabaseSetupFault) => {
    asked ??= poolerVersion(url);
    const version = await asked;
    return version === undefined ? fault : fault.of(version);
  };
  // An idle connection was lost. The pool has dropped it and opens another when one is needed.
  pool.on('error', () => undefined);

  return {
    options: {},
    async connect() {
      try {
        return namedStatements(await pool.connect(), { broken, openedAs, statementName, withVersion, watch });
      } catch (error) {
        throw connectFault(error, () => new pg.Client({ connectionString: currentUrl(url) }) as OpenedAs);
      }
    },
    end: () => pool.end(),
    state: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/**
 * The pool gives each client the options of the pool, and the URL may have changed since. The socket is our own,
 * because pg cannot drop a connection that is executing a statement.
 */
function clientOf(url: ConnectionString, sockets: WeakMap<pg.ClientBase, Socket>): typeof ScramClient {
  return class extends ScramClient {
    constructor(config: pg.ClientConfig) {
      const socket = new Socket();
      super({ ...config, connectionString: currentUrl(url), stream: () => socket });
      sockets.set(this, socket);
    }
  };
}

interface ClientContext {
  readonly broken: WeakSet<pg.ClientBase>;
  readonly openedAs: WeakMap<pg.ClientBase, OpenedAs>;
  readonly statementName: StatementNames;
  /** Adds the version of the pooler that is at fault. */
  readonly withVersion: (fault: DatabaseSetupFault) => Promise<DatabaseSetupFault>;
  readonly watch: StatementWatch | undefined;
}

function namedStatements(
  client: pg.PoolClient,
  { broken, openedAs, statementName, withVersion, watch }: ClientContext,
): PostgresPoolClient {
  async function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const end = watch?.(sql);
    try {
      // Statements without parameters, such as BEGIN and COMMIT, gain nothing from a name.
      const name = parameters.length > 0 ? statementName(sql) : undefined;
      const result = await client.query({ text: sql, values: [...parameters], ...(name && { name }) });
      end?.();
      return result as PostgresQueryResult<R>;
    } catch (error) {
      // The answer may still arrive, and would count as the answer to another statement.
      if (isReadTimeout(error)) broken.add(client);
      const fault = statementFault(error, broken.has(client), openedAs.get(client) as OpenedAs);
      // The connection is closed, because it would refuse all changes and another connection may allow them.
      if (fault instanceof ReadOnlyServer) broken.add(client);
      end?.(fault);
      throw fault instanceof DatabaseSetupFault && isOfPooler(fault) ? await withVersion(fault) : fault;
    }
  }
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || broken.has(client)),
  };
}
