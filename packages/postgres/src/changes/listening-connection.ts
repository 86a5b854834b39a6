import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import type { Instant } from '@gatehouse/domain/time';
import { ScramClient } from '@gatehouse/scram-client';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../database/database.ts';
import { reasonOf } from '../database/faults.ts';
import { pause } from '../database/pause.ts';
import { type ConnectionString, currentUrl } from '../database/pool/connection-string.ts';
import { NO_TIME_LIMITS, sessionSettings } from '../database/pool/session-settings.ts';
import { findServer, nameOf, type PrimaryServer } from '../database/primary/primary-server.ts';
import { applicationName as nameWithEdition } from '../editions/application-name.ts';
import { type TrustProblem, trustProblem } from './change-feed-trust.ts';

export type ListeningConnection = Awaited<ReturnType<typeof openListeningConnection>>;

interface ListeningConnectionOptions {
  readonly url: ConnectionString;
  /** The database whose changes the connection receives. */
  readonly database: Database;
  readonly channel: string;
  /** The session's application name, to which the edition is added. */
  readonly applicationName: string;
  /**
   * The longest time that a statement may stay unanswered, in milliseconds. After that the connection counts as lost.
   */
  readonly answerWithinMs: number;
  /**
   * How long a session may leave its notifications unread before it is ended, in milliseconds. All listening sessions
   * share one queue. If unread notifications fill the queue, no change that sends a notification can be committed. Over
   * TCP, PostgreSQL ends such a session itself. A session on a Unix socket has no such limit, so the heartbeat of
   * another listening session ends it.
   */
  readonly unreadWithinMs?: number;
  /** Aborts the attempt to connect. */
  readonly giveUp: AbortSignal;
  /** Decides whether the answer to a heartbeat proves that all changes were received. Default: `trustProblem`. */
  readonly problemOf?: TrustProblem;
  /** Called for each notification, in the order of the commits. */
  readonly onNotification: (payload: string) => void;
  /** Called once, when the connection is lost. */
  readonly onLost: (reason: string) => void;
}

/** The beginning of the notifications that test whether a connection is connected to the database of its pool. */
const NONCE = '{"v":1,"nonce":"';

const CONNECT_WITHIN_MS = 2000;
const GOODBYE_MS = 500;
const UNREAD_WITHIN_MS = 10_000;

/** A share of the notification queue. If a greater share is full, some session does not read its notifications. */
const QUEUE_BEHIND = 0.0001;

/**
 * Returns the statement of a heartbeat. The statement reads no table or view, because that would need a lock. A session
 * of any database can use up all locks of the server, and the heartbeat would fail.
 */
const heartbeatOn = (channel: string) => `
  select pg_backend_pid() as pid, pg_is_in_recovery() as "inRecovery",
    exists (select from pg_listening_channels() as channel where channel = '${channel}') as listening,
    pg_notification_queue_usage() > ${QUEUE_BEHIND} as "queueBehind",
    floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now`;

/**
 * Returns a statement that ends idle sessions whose client does not read from the connection. These are listeners that
 * do not read their notifications.
 */
const endUnread = (withinMs: number) => `
  select pg_terminate_backend(pid) from pg_stat_activity
  where usename = current_user and state = 'idle' and wait_event = 'ClientWrite'
    and state_change < clock_timestamp() - interval '${withinMs} ms'`;

type Heartbeat = Omit<Parameters<TrustProblem>[0], 'announcedPid' | 'nonceHeard' | 'wrongServer'> & {
  queueBehind: boolean;
  now: Instant;
};

/**
 * Opens a separate connection that listens to the notifications of its database. A lost connection is not opened
 * again.
 */
export async function openListeningConnection(options: ListeningConnectionOptions) {
  const { url, channel, applicationName, answerWithinMs, giveUp, onNotification, onLost } = options;
  const { database, problemOf = trustProblem, unreadWithinMs = UNREAD_WITHIN_MS } = options;
  const heartbeat = heartbeatOn(channel);
  const nonce = `${NONCE}${randomUUID()}"}`;
  let nonceSent: Promise<unknown> | undefined;
  let nonceHeard = false;
  // This function creates the socket, because pg cannot close a connection whose server does not answer.
  const socket = new Socket();
  const client = new ScramClient({
    connectionString: currentUrl(url),
    fallback_application_name: nameWithEdition(applicationName),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    stream: () => socket,
  });
  /** The server of this connection. It cannot change while the connection lasts. */
  let server: PrimaryServer | undefined;
  const wrongServer = () => server && database.primary.problemOf(server);
  const unsubscribe = database.primary.subscribe(() => {
    const problem = wrongServer();
    if (problem !== undefined) lose(`the listening connection ${problem}`);
  });
  let lost: string | undefined;
  const lose = (reason: string) => {
    if (lost !== undefined) return;
    lost = reason;
    unsubscribe();
    socket.destroy();
    onLost(reason);
  };
  client.on('error', (error) => lose(`the listening connection was lost: ${reasonOf(error)}`));
  client.on('end', () => lose('the listening connection was closed'));
  client.on('notification', ({ payload = '' }) => {
    if (payload === nonce) nonceHeard = true;
    if (!payload.startsWith(NONCE)) onNotification(payload);
  });

  async function ask<Row extends pg.QueryResultRow>(statement: string): Promise<pg.QueryResult<Row>> {
    if (lost !== undefined) throw new Error(lost);
    let answered = false;
    // If this process was paused, the answer may be waiting in the socket. One more turn of the event loop reads it.
    const timer = setTimeout(() => {
      setImmediate(() => answered || lose('the listening connection does not answer'));
    }, answerWithinMs);
    try {
      return await client.query<Row>(statement);
    } catch (error) {
      throw lost === undefined ? error : new Error(lost);
    } finally {
      answered = true;
      clearTimeout(timer);
    }
  }

  const abandon = () => lose('the attempt was given up');
  giveUp.addEventListener('abort', abandon);
  try {
    await client.connect();
    const listen = `${sessionSettings(NO_TIME_LIMITS)}; set tcp_user_timeout = ${unreadWithinMs}; listen ${channel}`;
    await ask(listen).catch(async (error: unknown) => {
      if (!isQueueBroken(error)) throw error;
      await ask(REPAIR_QUEUE);
      await ask(listen);
    });
    server = await findServer(ask);
    if (server) database.primary.sawListener(server);
  } catch (error) {
    lose(connectProblem(error));
    throw new Error(lost);
  } finally {
    giveUp.removeEventListener('abort', abandon);
  }
  return {
    /**
     * Resolves when all notifications of changes that were committed before the call have been received. Throws if that
     * cannot be known. Returns the time of the database's clock during the call. When this resolves, the connection may
     * already be lost, because its end can arrive together with the answer.
     */
    async heartbeat(): Promise<Instant> {
      nonceSent ??= sql`select pg_notify(${channel}, ${nonce})`.execute(database.queries);
      await nonceSent;
      const [row] = (await ask<Heartbeat>(heartbeat)).rows;
      if (!row) throw new Error('the database answered a heartbeat without a row');
      // The database may have been restarted behind a pooler. The pool learns of that only by opening a connection.
      if (wrongServer() !== undefined) await database.findPrimary().catch(() => undefined);
      const evidence = { ...row, announcedPid: announcedPid(client), nonceHeard, wrongServer: wrongServer() };
      const problem = problemOf(evidence);
      if (problem !== undefined) throw new Error(problem);
      // If the sessions that leave their notifications unread cannot be ended now, a later heartbeat tries again.
      if (row.queueBehind) await ask(endUnread(unreadWithinMs)).catch(() => undefined);
      return row.now;
    },

    /** Names the server of this connection; undefined if the role may not find out. */
    database: () => server && nameOf(server),

    async close(): Promise<void> {
      lost ??= 'the listening connection was closed';
      unsubscribe();
      await Promise.race([client.end(), pause(GOODBYE_MS)]);
      socket.destroy();
    },
  };
}

/**
 * Returns whether PostgreSQL cannot read a file that it needs for LISTEN (SQLSTATE 58P01). In versions before 18.2,
 * 17.8, 16.12 and 15.16, VACUUM may remove the outcome of a transaction whose notification is still queued. PostgreSQL
 * then refuses every LISTEN with "could not access status of transaction".
 */
function isQueueBroken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '58P01';
}

/**
 * Makes PostgreSQL discard the notifications that all sessions have read. That repairs the queue, unless a session has
 * not read the damaged part yet.
 */
const REPAIR_QUEUE = 'select pg_notification_queue_usage()';

function connectProblem(error: unknown): string {
  if (isQueueBroken(error)) {
    return `the notification queue of PostgreSQL is broken (${reasonOf(error)}): end the sessions that listen and stay in a transaction, run "${REPAIR_QUEUE}", or restart PostgreSQL`;
  }
  const READ_ONLY = '25006';
  if (error instanceof pg.DatabaseError && error.code === READ_ONLY) {
    return 'the listening connection leads to a standby, which does not support LISTEN';
  }
  return `the listening connection cannot be opened: ${reasonOf(error)}`;
}

/** The process id that the server announced at connect (undocumented in pg: ADR 32). */
function announcedPid(client: pg.Client): number | undefined {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : undefined;
}
