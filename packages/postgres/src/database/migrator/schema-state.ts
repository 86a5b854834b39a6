import type { SchemaState } from '@gatehouse/domain/health';
import type { AnyMigration } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import * as migrations from '../../migrations/index.ts';
import type { Database } from '../database.ts';
import { onPrimary } from '../primary/primary-only.ts';

/** The migrations of Gatehouse or of an extension, in their order, and the table that lists the applied migrations. */
export interface MigrationSequence {
  readonly migrations: Readonly<Record<string, AnyMigration>>;
  /** The PostgreSQL schema of the migration table. Default: the schema that the search path selects. */
  readonly schema?: string;
  readonly table: string;
  /** The text before the name of a migration in reports: the name of the extension, such as `shift-notes`. */
  readonly label?: string;
}

export const CORE_SEQUENCE = { table: 'kysely_migration' } as const;

/** Returns the name of the migration table, with its schema if the sequence names one. */
function migrationTableOf({ schema, table }: Pick<MigrationSequence, 'schema' | 'table'>): string {
  return schema === undefined ? table : `${schema}.${table}`;
}

/** Compares the database's schema with the schema that this version of Gatehouse needs. */
export function schemaState(database: Database): Promise<SchemaState> {
  return stateOf(database, { ...CORE_SEQUENCE, migrations });
}

/** Compares the applied migrations of a sequence with all of its migrations. */
export async function stateOf(database: Database, sequence: MigrationSequence): Promise<SchemaState> {
  const [state] = await statesOf(database, [sequence]);
  return state ?? 'behind';
}

/** Returns the state of each sequence, and runs only two statements for all of them. */
export async function statesOf(
  database: Database,
  sequences: readonly MigrationSequence[],
): Promise<readonly SchemaState[]> {
  const applied = await appliedMigrations(database, sequences.map(migrationTableOf));
  return sequences.map((sequence) => {
    const names = applied.get(migrationTableOf(sequence)) ?? [];
    if (names.some((name) => !Object.hasOwn(sequence.migrations, name))) return 'ahead';
    return Object.keys(sequence.migrations).every((name) => names.includes(name)) ? 'current' : 'behind';
  });
}

/** Returns the names of the applied migrations of each migration table. A table that does not exist has no entry. */
async function appliedMigrations({ queries }: Database, tables: readonly string[]) {
  const applied = new Map<string, string[]>();
  const found = await sql<{ table: string; isThere: boolean }>`
    select name as table, to_regclass(name) is not null as "isThere"
    from unnest(${tables}::text[]) as name where ${onPrimary}`.execute(queries);
  const reads = found.rows
    .filter(({ isThere }) => isThere)
    .map(
      ({ table }) => sql`select ${table}::text as table, name from ${sql.table(table)} where ${onPrimary}`,
    );
  if (reads.length === 0) return applied;
  const { rows } = await sql<{ table: string; name: string }>`${sql.join(reads, sql` union all `)}`.execute(
    queries,
  );
  for (const { table, name } of rows) applied.set(table, [...(applied.get(table) ?? []), name]);
  return applied;
}
