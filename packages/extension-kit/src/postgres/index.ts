export { type ColumnType, type Generated, type GeneratedAlways, sql } from 'kysely';
export type * from './columns.ts';
export * from './expect-violation.ts';
export type * from './extension-database.ts';
export * from './layer.ts';
export * from './migration-steps.ts';
export * from './notify-changes.ts';
export * from './schema-of.ts';
