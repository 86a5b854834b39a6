import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type MigrateOptions, runMigrations } from '../database/migrate.ts';
import { onPrimary } from '../database/primary-only.ts';
import { EXTENSION_TABLE, type StoredExtension, sequenceOf } from './extension-sequence.ts';

/** The schema that an extension would take has tables of something else. */
export class ForeignSchema extends Error {
  override readonly name = 'ForeignSchema';
}

/**
 * Applies the extension's migrations that are missing, as `migrateToLatest` those of Gatehouse, and creates its schema
 * before the first. Returns the names of the applied migrations with the extension's before them.
 */
export async function migrateExtension(
  database: Database,
  extension: StoredExtension,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const sequence = sequenceOf(extension);
  if (await isForeign(database, sequence.schema)) {
    throw new ForeignSchema(`the schema ${sequence.schema} has tables that are not of an extension`);
  }
  return runMigrations(database, sequence, options);
}

async function isForeign({ queries }: Database, schema: string): Promise<boolean> {
  const { rows } = await sql<{ isForeign: boolean }>`
    select exists (select from pg_class where relnamespace = to_regnamespace(${schema}))
      and to_regclass(${`${schema}.${EXTENSION_TABLE}`}) is null as "isForeign"
    where ${onPrimary}`.execute(queries);
  return rows[0]?.isForeign === true;
}
