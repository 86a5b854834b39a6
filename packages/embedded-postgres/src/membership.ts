import { readFile } from 'node:fs/promises';
import { PasswordWithheldError, ScramClient } from '@gatehouse/scram-client';
import type pg from 'pg';
import { APP_ROLE, type Cluster, DATABASE } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { codeOf } from './files.ts';
import { requirePrivate, SOCKET_PORT } from './socket-folder.ts';
import { stopPostmaster } from './stop-postmaster.ts';

/** "gatehous" in ASCII. Users share this lock; whoever can have it alone is the last one. */
export const LOCK = "x'67617465686f7573'::bigint";

/** One user's hold on a running server. */
export interface Membership {
  readonly socketFolder: string;
  readonly password: string;
  /** Settles when the connection is gone, by whatever cause. */
  readonly lost: Promise<void>;
  /** Lets the server go, and stops it if nobody else holds it. */
  leave(): Promise<void>;
}

/** Why a server that should be there could not be joined right now; worth another try. */
export class NotJoined extends Error {}

/**
 * Connects to the server in `socketFolder` and holds the shared lock for as long as the connection lives: the kernel
 * closes it for a killed process too, so nobody has to tidy up.
 *
 * @throws {NotJoined} if the server comes or goes just now
 * @throws {EmbeddedPostgresError} if trying again would not help
 */
export async function joinPostmaster(cluster: Cluster, socketFolder: string): Promise<Membership> {
  await requirePrivate(socketFolder, cluster.account);
  const password = await readFile(cluster.paths.password, 'utf8');
  const client = new ScramClient({
    host: socketFolder,
    port: SOCKET_PORT,
    user: APP_ROLE,
    password,
    database: DATABASE,
    // PGSSLMODE is meant for other databases: a Unix socket has no TLS.
    ssl: false,
    application_name: 'gatehouse membership',
    connectionTimeoutMillis: 2_000,
  });
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  client.on('end', resolve);
  // A lost connection ends as well: `lost` is how it is told.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(`SELECT pg_try_advisory_lock_shared(${LOCK}) AS locked`);
    if (rows[0].locked !== true) throw new Error('its last user is just stopping it');
  } catch (error) {
    await client.end().catch(() => undefined);
    throw refusal(error, cluster) ?? new NotJoined(messageOf(error), { cause: error });
  }
  return {
    socketFolder,
    password,
    lost,
    async leave() {
      try {
        if (await isLast(client)) await stopPostmaster(cluster);
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  };
}

/** SQLSTATE class 28: invalid authorization. 28P01 is a wrong password. */
function refusal(error: unknown, { paths }: Cluster): EmbeddedPostgresError | undefined {
  const code = String(codeOf(error));
  if (code === '28P01') {
    return new EmbeddedPostgresError(
      'wrong_password',
      `The embedded PostgreSQL does not take the password in ${paths.password}: stop the servers and commands that use the data folder and delete this file, and the next start makes another password.`,
    );
  }
  if (!code.startsWith('28') && !(error instanceof PasswordWithheldError)) return undefined;
  return new EmbeddedPostgresError(
    'access_changed',
    `The embedded PostgreSQL did not authenticate as expected (${messageOf(error)}): stop the servers and commands that use the data folder and delete ${paths.password}, and the next start sets its access up again.`,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Lets the shared lock go first: of two who leave at once, both keeping theirs, neither would be the last. */
async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query(`SELECT pg_advisory_unlock_shared(${LOCK})`);
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK}) AS last`);
    return rows[0].last === true;
  } catch {
    // The connection went, and the server or the hold on it with it.
    return false;
  }
}
