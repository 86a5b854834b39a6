import { ScramClient } from '@gatehouse/scram-client';
import { type Cluster, DATABASE, SUPERUSER } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { messageOf, readIfThere } from './files.ts';
import { LOCK } from './membership.ts';
import type { Postmaster } from './postmaster-file.ts';
import { stopPostmaster } from './stop-postmaster.ts';

/**
 * Stops a server that an older version started and that is no longer used, so that the cluster can be set up. Returns why it
 * could not, which may be temporary, or an empty text.
 *
 * @throws {EmbeddedPostgresError} if the server was not started by an older version
 */
export async function retireOlderServer(cluster: Cluster, postmaster: Postmaster): Promise<string> {
  const { paths } = cluster;
  const { port, socketFolder } = postmaster;
  if (socketFolder !== undefined) {
    throw new EmbeddedPostgresError(
      `There is no password in ${paths.password} for the running PostgreSQL: stop the servers and commands that use the data folder; the next start creates another password.`,
    );
  }
  const password = await readIfThere(paths.older.password);
  // Without a password, pg would use PGPASSWORD or ~/.pgpass.
  if (!password)
    return `the server of an older version is running, and its password is missing in ${paths.older.password}`;
  const target = { host: '127.0.0.1', port, user: SUPERUSER, password, database: DATABASE };
  const client = new ScramClient({ ...target, ssl: false, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK}) AS alone`);
    if (rows[0].alone !== true)
      return 'an older version of Gatehouse uses it: stop its servers and commands first';
    await stopPostmaster(cluster);
    return '';
  } catch (error) {
    return `the server of an older version does not answer: ${messageOf(error)}`;
  } finally {
    await client.end().catch(() => undefined);
  }
}
