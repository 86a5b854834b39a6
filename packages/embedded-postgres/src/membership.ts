import { readFile } from 'node:fs/promises';
import { PasswordWithheldError, ScramClient } from '@gatehouse/scram-client';
import type pg from 'pg';
import { APP_ROLE, type Cluster, DATABASE } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { codeOf, messageOf } from './files.ts';
import { requirePrivate, SOCKET_PORT } from './socket-folder.ts';
import { stopPostmaster } from './stop-postmaster.ts';

/**
 * The number of an advisory lock: "gatehous" in ASCII. Each process that uses the server holds the lock shared. Only
 * the last of these processes can get the lock exclusively.
 */
export const LOCK = "x'67617465686f7573'::bigint";

/** A process's use of a running server. While a process uses the server, no other process stops it. */
export type Membership = Awaited<ReturnType<typeof joinPostmaster>>;

/** This process could not connect to the server now. A later attempt may succeed. */
export class NotJoined extends Error {}

/**
 * Connects to the server in `socketFolder`, and holds the shared lock while the connection lasts. If this process is
 * killed, the kernel closes the connection, so no cleanup is needed.
 *
 * @throws {NotJoined} if the server is starting or stopping
 * @throws {EmbeddedPostgresError} if a later attempt would fail, too
 */
export async function joinPostmaster(cluster: Cluster, socketFolder: string) {
  await requirePrivate(socketFolder, cluster.account);
  const password = await readFile(cluster.paths.password, 'utf8');
  const target = { host: socketFolder, port: SOCKET_PORT, user: APP_ROLE, password, database: DATABASE };
  const client = new ScramClient({
    ...target,
    // PGSSLMODE, which is meant for other databases, is ignored, because a Unix socket has no TLS.
    ssl: false,
    application_name: 'gatehouse membership',
    connectionTimeoutMillis: 2_000,
  });
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  client.on('end', resolve);
  // Without a listener, the error of a lost connection would end the process. After the error, the event `end` resolves
  // `lost`.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(`SELECT pg_try_advisory_lock_shared(${LOCK}) AS locked`);
    if (rows[0].locked !== true) throw new Error('the last process that used the server is stopping it');
  } catch (error) {
    await client.end().catch(() => undefined);
    throw refusal(error, cluster) ?? new NotJoined(messageOf(error), { cause: error });
  }
  let leaving: Promise<void> | undefined;
  return {
    url: urlOf(socketFolder, password),
    /** Resolves when the connection is lost, for any reason. */
    lost,
    /** Ends the use of the server, and stops the server if no other process uses it. */
    leave: (): Promise<void> => {
      leaving ??= leave(client, cluster);
      return leaving;
    },
  };
}

async function leave(client: pg.Client, cluster: Cluster): Promise<void> {
  try {
    if (await isLast(client)) await stopPostmaster(cluster);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Returns the URL of the database. It has `sslmode=disable`, because PGSSLMODE, which is meant for other databases,
 * could require TLS.
 */
function urlOf(socketFolder: string, password: string): string {
  return `postgres://${APP_ROLE}:${password}@${encodeURIComponent(socketFolder)}:${SOCKET_PORT}/${DATABASE}?sslmode=disable`;
}

/**
 * Explains why the server refused this process; undefined for other errors. SQLSTATEs of class 28 mean an invalid
 * authorization, and 28P01 a wrong password.
 */
function refusal(error: unknown, { paths }: Cluster): EmbeddedPostgresError | undefined {
  const code = String(codeOf(error));
  if (code === '28P01') {
    return new EmbeddedPostgresError(
      `The embedded PostgreSQL does not accept the password in ${paths.password}: stop the servers and commands that use the data folder and delete this file; the next start creates another password.`,
    );
  }
  if (!code.startsWith('28') && !(error instanceof PasswordWithheldError)) return undefined;
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL did not authenticate as expected (${messageOf(error)}): stop the servers and commands that use the data folder and delete ${paths.password}; the next start sets up the embedded PostgreSQL again.`,
  );
}

/**
 * Returns whether no other process uses the server. Before it tries to get the lock exclusively, it releases the shared
 * lock. If two processes left at once and kept their shared locks, each would count the other as a user, and the server
 * would go on running.
 */
async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query(`SELECT pg_advisory_unlock_shared(${LOCK})`);
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK}) AS last`);
    return rows[0].last === true;
  } catch {
    // If the connection is lost, this process has no lock, and another process may use the server.
    return false;
  }
}
