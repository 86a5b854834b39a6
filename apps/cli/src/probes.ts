import type { Clock } from '@gatehouse/domain/time';
import { createMonotonicClock, loadStoredExtensions } from '@gatehouse/installation';
import { findMasterKey } from '@gatehouse/installation/master-key';
import type { OpenDatabase } from '@gatehouse/installation/open-database';
import { findOpenRoutes } from '@gatehouse/installation/open-routes';
import * as postgres from '@gatehouse/postgres';
import type { Surroundings } from './prepare.ts';

const UNREADABLE_USAGE =
  'some reports of the use of tokens cannot be read and are ignored: a server of a newer version sends them, or another role of this PostgreSQL. `gatehouse doctor` shows whether other roles may connect';

/** Creates the ports that examine an installation. */
export function createProbes(
  { database, listenAddress: { url: listenUrl } }: Pick<OpenDatabase, 'database' | 'listenAddress'>,
  { prepared, environment, extensions, clock, warn }: Surroundings & { readonly clock: Clock },
) {
  return {
    usageFeed: postgres.createPostgresUsageFeed({
      listenUrl,
      database,
      onUnreadable: () => warn(UNREADABLE_USAGE),
    }),
    usageRecorders: postgres.createPostgresUsageRecorderHealth(database),
    storeProbe: postgres.createPostgresStoreProbe(database),
    extensionSchemas: postgres.createPostgresExtensionSchemas(database, () =>
      loadStoredExtensions(extensions),
    ),
    changeFeedProbe: postgres.createPostgresChangeFeedProbe({
      listenUrl,
      database,
      maxStalenessMs: prepared.settings.MAX_STALENESS_MS,
      clock,
      monotonicClock: createMonotonicClock(),
    }),
    findMasterKey: () => findMasterKey(environment, clock),
    findOpenRoutes: () => findOpenRoutes(extensions),
  };
}
