import type { SchemaState } from '@gatehouse/domain/health';
import { sql } from 'kysely';
import { migrations } from '../migrations/index.ts';
import type { Database } from './database.ts';
import { onPrimary } from './primary-only.ts';
import { type MigrateOptions, runMigrations } from './run-migrations.ts';

/** Compares the database's schema with the one that this version needs. */
export async function schemaState(database: Database): Promise<SchemaState> {
  const applied = await appliedMigrations(database);
  if (applied.some((name) => !Object.hasOwn(migrations, name))) return 'ahead';
  return Object.keys(migrations).every((name) => applied.includes(name)) ? 'current' : 'behind';
}

/**
 * Brings the schema up to date, each migration in a transaction of its own. A migration that waits for a lock longer
 * than requests can wait is rolled back and retried; after the last retry an `UnavailableFault` names the sessions
 * that hold the lock. Concurrent calls wait for each other. Returns the names of the applied migrations.
 */
export function migrateToLatest(
  database: Database,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  return runMigrations(database, migrations, options);
}

async function appliedMigrations({ queries }: Database): Promise<readonly string[]> {
  const found = await sql<{ table: string | null }>`
    select to_regclass('kysely_migration')::text as table where ${onPrimary}`.execute(queries);
  if (found.rows[0]?.table == null) return [];
  const applied = await sql<{ name: string }>`select name from kysely_migration where ${onPrimary}`.execute(
    queries,
  );
  return applied.rows.map((row) => row.name);
}
