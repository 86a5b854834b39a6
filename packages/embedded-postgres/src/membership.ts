import { readFile, realpath } from 'node:fs/promises';
import { ScramClient } from '@gatehouse/scram-client';
import type pg from 'pg';
import type { Cluster } from './cluster.ts';
import { DATABASE, USER } from './initialize.ts';
import { stopPostmaster } from './stop-postmaster.ts';

/** "gatehous" in ASCII. Users share this lock; whoever can have it alone is the last one. */
const LOCK = "x'67617465686f7573'::bigint";

/** One user's hold on a running server. */
export interface Membership {
  readonly port: number;
  /** Settles when the connection is gone, by whatever cause. */
  readonly lost: Promise<void>;
  /** Lets the server go, and stops it if nobody else holds it. */
  leave(): Promise<void>;
}

/** Why a server that should be there could not be joined right now; worth another try. */
export class NotJoined extends Error {}

/**
 * Connects to the server on `port` and holds the shared lock for as long as the connection lives: the kernel
 * closes it for a killed process too, so nobody has to tidy up.
 */
export async function joinPostmaster(cluster: Cluster, port: number): Promise<Membership> {
  const { paths } = cluster;
  const client = new ScramClient({
    host: '127.0.0.1',
    port,
    user: USER,
    password: await readFile(paths.password, 'utf8'),
    database: DATABASE,
    application_name: 'gatehouse membership',
    connectionTimeoutMillis: 2_000,
  });
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  client.on('end', resolve);
  // A lost connection ends as well: `lost` is how it is told.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      `SELECT current_setting('data_directory') AS folder, pg_try_advisory_lock_shared(${LOCK}) AS locked`,
    );
    if ((await realpath(rows[0].folder)) !== (await realpath(paths.data)))
      throw new Error('another server answers there');
    if (rows[0].locked !== true) throw new Error('its last user is just stopping it');
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new NotJoined(error instanceof Error ? error.message : String(error), { cause: error });
  }
  return {
    port,
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
