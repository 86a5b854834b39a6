export { type ChangeFeedOptions, createPostgresChangeFeed } from './changes/change-feed.ts';
export { createPostgresChangeFeedProbe } from './changes/change-feed-probe.ts';
export { type Database, type DatabaseOptions, openDatabase } from './database/database.ts';
export { DatabaseFault, DatabaseSetupFault } from './database/faults.ts';
export { describeHolders, type LockHolder } from './database/migrator/lock-holders.ts';
export { type MigrateOptions, migrateToLatest } from './database/migrator/migrate.ts';
export { schemaState } from './database/migrator/schema-state.ts';
export { whileLocked } from './database/migrator/while-locked.ts';
export { onBehalf, onPageOf } from './database/pool/askers.ts';
export type { PoolState } from './database/pool/connection-pool.ts';
export { type ConnectionString, currentUrl } from './database/pool/connection-string.ts';
export { DATABASE_URL_FORM, databaseUrlProblem } from './database/pool/database-url.ts';
export { createPostgresStoreProbe } from './database/primary/store-probe.ts';
export { type StatementWatch, summaryOf } from './database/statements/statement-watch.ts';
export { createExtensionDatabase } from './extensions/extension-database.ts';
export {
  type ExtensionMigrations,
  extensionStates,
  migrateExtension,
  type StoredExtension,
} from './extensions/extension-migrations.ts';
export { createPostgresExtensionSchemas } from './extensions/extension-schemas.ts';
export { createPostgresRepositories } from './repositories.ts';
export { createPostgresSignInThrottle } from './sign-in/sign-in-throttle.ts';
export { createPostgresUsageFeed } from './usage/usage-feed.ts';
export type { UsageBacklog, UsageRecorderEvent } from './usage/usage-recorder.ts';
export { createPostgresUsageRecorder } from './usage/usage-recorder.ts';
export { createPostgresUsageRecorderHealth } from './usage/usage-records.ts';
export { rekeyEmails } from './users/stray-emails.ts';
