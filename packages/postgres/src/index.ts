export { createPostgresAccountRepository } from './account-repository.ts';
export { createPostgresAuditLog } from './audit-log.ts';
export {
  type ChangeFeedEvent,
  type ChangeFeedOptions,
  type ChangeFeedState,
  createPostgresChangeFeed,
  type PostgresChangeFeed,
} from './change-feed.ts';
export { type ChangeFeedProbeOptions, createPostgresChangeFeedProbe } from './change-feed-probe.ts';
export type { PoolState } from './connection-pool.ts';
export { type Database, type DatabaseOptions, openDatabase } from './database.ts';
export { DatabaseFault } from './faults.ts';
export { migrateToLatest, type SchemaState, schemaState } from './migrate.ts';
export { createPostgresOrganizationRepository } from './organization-repository.ts';
export { postgresSettings } from './settings.ts';
export { createPostgresSignInThrottle, type SignInThrottleOptions } from './sign-in-throttle.ts';
export { createPostgresSigningKeyRepository } from './signing-key-repository.ts';
export { createPostgresStoreProbe } from './store-probe.ts';
export { createPostgresSuggestionSource } from './suggestion-source.ts';
export { createPostgresTokenRepository } from './token-repository.ts';
export { createPostgresUsageFeed, type UsageFeedOptions } from './usage-feed.ts';
export {
  createPostgresUsageRecorder,
  type PostgresUsageRecorder,
  type UsageBacklog,
  type UsageRecorderEvent,
  type UsageRecorderOptions,
} from './usage-recorder.ts';
export { createPostgresUsageRecorderHealth } from './usage-recorder-health.ts';
export { createPostgresUserRepository } from './user-repository.ts';
export { whileLocked } from './while-locked.ts';
