export {
  type ChangeFeedOptions,
  createPostgresChangeFeed,
} from './changes/change-feed.ts';
export { createPostgresChangeFeedProbe } from './changes/change-feed-probe.ts';
export type { PoolState } from './database/connection-pool.ts';
export { type Database, type DatabaseOptions, openDatabase } from './database/database.ts';
export { databaseUrlProblem } from './database/database-url.ts';
export { DatabaseFault } from './database/faults.ts';
export { describeHolders, type LockHolder } from './database/lock-holders.ts';
export { migrateToLatest, schemaState } from './database/migrate.ts';
export type { MigrateOptions } from './database/run-migrations.ts';
export { createPostgresStoreProbe } from './database/store-probe.ts';
export { whileLocked } from './database/while-locked.ts';
export { createPostgresRepositories } from './repositories.ts';
export { clientNetwork } from './sign-in/client-network.ts';
export { createPostgresSignInThrottle } from './sign-in/sign-in-throttle.ts';
export { createPostgresUsageFeed } from './usage/usage-feed.ts';
export {
  createPostgresUsageRecorder,
  type UsageBacklog,
  type UsageRecorderEvent,
} from './usage/usage-recorder.ts';
export { createPostgresUsageRecorderHealth } from './usage/usage-recorder-health.ts';
