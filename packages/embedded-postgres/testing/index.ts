import { APP_ROLE } from '../src/cluster.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from '../src/open-embedded-postgres.ts';
import { prepareCluster } from '../src/prepare-cluster.ts';
import { setUp } from '../src/set-up.ts';
import { openSingleUser } from '../src/single-user.ts';

/**
 * An embedded PostgreSQL whose role may do more than the product's, such as make databases. `grant` says in SQL what it
 * is granted; no server may run on the data folder yet.
 */
export async function openWithRights(
  options: EmbeddedPostgresOptions,
  grant: (role: string) => readonly string[],
): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(options.dataDir, options.settings ?? {});
  await setUp(cluster);
  {
    await using session = await openSingleUser(cluster);
    if (session === undefined) throw new Error(`a server runs on ${options.dataDir}`);
    for (const statement of grant(APP_ROLE)) await session.run(statement);
  }
  return openEmbeddedPostgres(options);
}
