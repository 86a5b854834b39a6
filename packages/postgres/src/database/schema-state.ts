import type { SchemaState } from '@gatehouse/domain/health';
import { sql } from 'kysely';
import { migrations } from '../migrations/index.ts';
import type { Database } from './database.ts';
import { CORE_SEQUENCE, type MigrationSequence, migrationTableOf } from './migration-sequence.ts';
import { onPrimary } from './primary-only.ts';

/** Compares the database's schema with the one that this version needs. */
export function schemaState(database: Database): Promise<SchemaState> {
  return stateOf(database, { ...CORE_SEQUENCE, migrations });
}

/** Compares what was applied of a sequence with its migrations. */
export async function stateOf(database: Database, sequence: MigrationSequence): Promise<SchemaState> {
  const applied = await appliedMigrations(database, migrationTableOf(sequence));
  if (applied.some((name) => !Object.hasOwn(sequence.migrations, name))) return 'ahead';
  return Object.keys(sequence.migrations).every((name) => applied.includes(name)) ? 'current' : 'behind';
}

async function appliedMigrations({ queries }: Database, table: string): Promise<readonly string[]> {
  const found = await sql<{ table: string | null }>`
    select to_regclass(${table})::text as table where ${onPrimary}`.execute(queries);
  if (found.rows[0]?.table == null) return [];
  const applied = sql<{ name: string }>`select name from ${sql.table(table)} where ${onPrimary}`;
  return (await applied.execute(queries)).rows.map((row) => row.name);
}
