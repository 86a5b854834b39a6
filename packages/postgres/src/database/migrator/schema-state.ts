import type { SchemaState } from '@gatehouse/domain/health';
import { sql } from 'kysely';
import * as migrations from '../../migrations/index.ts';
import type { Database } from '../database.ts';
import { onPrimary } from '../primary/primary-only.ts';
import { CORE_SEQUENCE, type MigrationSequence, migrationTableOf } from './migration-sequence.ts';

/** Compares the database's schema with the one that this version needs. */
export function schemaState(database: Database): Promise<SchemaState> {
  return stateOf(database, { ...CORE_SEQUENCE, migrations });
}

/** Compares what was applied of a sequence with its migrations. */
export async function stateOf(database: Database, sequence: MigrationSequence): Promise<SchemaState> {
  const [state] = await statesOf(database, [sequence]);
  return state ?? 'behind';
}

/** `stateOf` for each of these sequences, in two statements for all. */
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

/** The names of the applied migrations by their table; a table that is not there has none. */
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
