import { APP_ROLE } from '../src/cluster.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from '../src/open-embedded-postgres.ts';
import { openEmbeddedPostgres } from '../src/open-embedded-postgres.ts';
import { prepareCluster } from '../src/prepare-cluster.ts';
import { setUp } from '../src/set-up.ts';
import { openSingleUser } from '../src/single-user.ts';

export { unprivilegedAccount } from '../src/account.ts';
export { locateBinaries } from '../src/cluster.ts';
export { type ClusterTemplate, makeClusterTemplate } from './cluster-template.ts';

/**
 * Opens an embedded PostgreSQL whose role has more rights than the product's, such as creating databases. `grant` has the
 * SQL statements that grant them; no server may be running on the data folder.
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
