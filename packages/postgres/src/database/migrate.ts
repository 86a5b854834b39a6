import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from '../migrations/index.ts';
import type { Database } from './database.ts';
import { whileLocked } from './while-locked.ts';

/** `behind`: there are migrations to run (an empty database is behind); `ahead`: a newer program was here. */
export type SchemaState = 'current' | 'behind' | 'ahead';

/** Any number that nothing else in the database locks. */
const MIGRATION_LOCK = 7_283_305_127;

/** Compares the schema of the database with the one that this program is written for. */
export async function schemaState(database: Database): Promise<SchemaState> {
  const applied = await appliedMigrations(database);
  if (applied.some((name) => !Object.hasOwn(migrations, name))) return 'ahead';
  return Object.keys(migrations).every((name) => applied.includes(name)) ? 'current' : 'behind';
}

/**
 * Brings the schema up to date: all of it or, where something fails, nothing. Several may do this at once;
 * one works, the others wait. Answers with the names of the migrations that were run.
 */
export async function migrateToLatest(database: Database): Promise<readonly string[]> {
  // Kysely's own lock comes only after it has made its tables.
  return whileLocked(database, MIGRATION_LOCK, async (db) => {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    return results.map((result) => result.migrationName);
  });
}

async function appliedMigrations({ queries }: Database): Promise<readonly string[]> {
  const found = await sql<{ table: string | null }>`
    select to_regclass('kysely_migration')::text as table`.execute(queries);
  if (found.rows[0]?.table == null) return [];
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(queries);
  return applied.rows.map((row) => row.name);
}
