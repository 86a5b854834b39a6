import type { SchemaState } from '@gatehouse/domain/health';
import { sql } from 'kysely';
import { migrations } from '../migrations/index.ts';
import type { Database } from './database.ts';
import { onPrimary } from './primary-only.ts';
import { type MigrateOptions, runMigrations } from './run-migrations.ts';

/** Compares the schema of the database with the one that this program is written for. */
export async function schemaState(database: Database): Promise<SchemaState> {
  const applied = await appliedMigrations(database);
  if (applied.some((name) => !Object.hasOwn(migrations, name))) return 'ahead';
  return Object.keys(migrations).every((name) => applied.includes(name)) ? 'current' : 'behind';
}

/**
 * Brings the schema up to date, each migration in a transaction of its own. One that waits for a lock for longer
 * than requests can wait behind it is rolled back and tried again; when all tries have failed, an `UnavailableFault`
 * names the sessions that hold the lock. Several may migrate at once; one works, the others wait. Answers with the
 * names of the migrations that were run.
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
