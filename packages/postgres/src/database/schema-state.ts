import type { SchemaState } from '@gatehouse/domain/health';
import { sql } from 'kysely';
import { migrations } from '../migrations/index.ts';
import type { Database } from './database.ts';
import { onPrimary } from './primary-only.ts';

/** Compares the database's schema with the one that this version needs. */
export async function schemaState(database: Database): Promise<SchemaState> {
  const applied = await appliedMigrations(database);
  if (applied.some((name) => !Object.hasOwn(migrations, name))) return 'ahead';
  return Object.keys(migrations).every((name) => applied.includes(name)) ? 'current' : 'behind';
}

async function appliedMigrations({ queries }: Database): Promise<readonly string[]> {
  const found = await sql<{ table: string | null }>`
    select to_regclass('kysely_migration')::text as table where ${onPrimary}`.execute(queries);
  if (found.rows[0]?.table == null) return [];
  const applied = sql<{ name: string }>`select name from kysely_migration where ${onPrimary}`;
  return (await applied.execute(queries)).rows.map((row) => row.name);
}
