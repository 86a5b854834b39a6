import type { AnyMigration } from '@gatehouse/extension-kit/postgres';

/**
 * Migrations that are applied in order, and the table that lists the applied ones: of Gatehouse, or of an extension.
 */
export interface MigrationSequence {
  readonly migrations: Readonly<Record<string, AnyMigration>>;
  /** The PostgreSQL schema of its migration table. Default: the one that the search path leads to. */
  readonly schema?: string;
  readonly table: string;
  /** The prefix of its migrations in reports, such as `shift-notes`. */
  readonly label?: string;
}

export const CORE_SEQUENCE = { table: 'kysely_migration' } as const;

/** Returns the migration table with its schema. */
export function migrationTableOf({ schema, table }: Pick<MigrationSequence, 'schema' | 'table'>): string {
  return schema === undefined ? table : `${schema}.${table}`;
}
