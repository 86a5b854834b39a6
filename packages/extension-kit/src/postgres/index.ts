export { type ColumnType, type Generated, type GeneratedAlways, sql } from 'kysely';
export type { Json, NullableTimestamp, Timestamp } from './columns.ts';
export { expectViolation } from './expect-violation.ts';
export type { CoreTables, ExtensionDatabase, ExtensionQueries, RecordEvent } from './extension-database.ts';
export { type Belonging, definePostgresLayer, type PostgresLayer } from './layer.ts';
export {
  type AnyMigration,
  inSteps,
  type MigrationConnection,
  type MigrationStep,
  type SteppedMigration,
} from './migration-steps.ts';
export { notifyChanges } from './notify-changes.ts';
export { schemaOf } from './schema-of.ts';
