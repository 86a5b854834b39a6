import { ScramClient } from '@gatehouse/scram-client';
import { type Cluster, DATABASE, SUPERUSER } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { readIfThere } from './files.ts';
import { LOCK } from './membership.ts';
import type { Postmaster } from './postmaster-file.ts';
import { stopPostmaster } from './stop-postmaster.ts';

/**
 * Stops a server that an older version started and that has no users any more, which is in the way of setting the
 * cluster up. Answers what stands against it, which may pass, or an empty text.
 *
 * @throws {EmbeddedPostgresError} if the server is none of an older version
 */
export async function retireOlderServer(
  cluster: Cluster,
  { port, socketFolder }: Postmaster,
): Promise<string> {
  const { paths } = cluster;
  if (socketFolder !== undefined) {
    throw new EmbeddedPostgresError(
      'password_missing',
      `There is no password in ${paths.password} for the PostgreSQL that runs: stop the servers and commands that use the data folder, and the next start makes another password.`,
    );
  }
  const password = await readIfThere(paths.older.password);
  // Without one, pg would send PGPASSWORD or what ~/.pgpass has.
  if (!password)
    return `the server of an older version runs, and its password is missing in ${paths.older.password}`;
  const client = new ScramClient({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password,
    database: DATABASE,
    ssl: false,
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK}) AS alone`);
    if (rows[0].alone !== true)
      return 'an older version of Gatehouse uses it, whose servers and commands have to be stopped first';
    await stopPostmaster(cluster);
    return '';
  } catch (error) {
    return `the server of an older version cannot be asked: ${error instanceof Error ? error.message : error}`;
  } finally {
    await client.end().catch(() => undefined);
  }
}
