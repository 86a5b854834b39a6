import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type MigrateOptions, runMigrations } from '../database/migrator/migrate.ts';
import { stateOf } from '../database/migrator/schema-state.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import { EXTENSION_TABLE, type ExtensionMigrations, sequenceOf } from './extension-sequence.ts';

/** The schema that an extension would take has tables of something else. */
export class ForeignSchema extends Error {
  override readonly name = 'ForeignSchema';
}

/**
 * Applies the extension's migrations that are missing, as `migrateToLatest` those of Gatehouse, and creates its schema
 * before the first. Returns the names of the applied migrations, which begin with the extension's, and whether it had no
 * schema before.
 */
export async function migrateExtension(
  database: Database,
  extension: ExtensionMigrations,
  options: MigrateOptions = {},
) {
  const sequence = sequenceOf(extension);
  const found = await inspect(database, sequence.schema);
  if (found.hasTables && !found.isMarked) {
    throw new ForeignSchema(`the schema ${sequence.schema} has tables that are not of an extension`);
  }
  // If the extension is current, nothing waits for the lock.
  if (found.isMarked && (await stateOf(database, sequence)) === 'current')
    return { applied: [], isNew: false };
  const applied = await runMigrations(database, sequence, options);
  return { applied, isNew: !found.isMarked };
}

async function inspect({ queries }: Database, schema: string) {
  const { rows } = await sql<{ hasTables: boolean; isMarked: boolean }>`
    select exists (select from pg_class where relnamespace = to_regnamespace(${schema})) as "hasTables",
      to_regclass(${`${schema}.${EXTENSION_TABLE}`}) is not null as "isMarked"
    where ${onPrimary}`.execute(queries);
  return rows[0] ?? { hasTables: false, isMarked: false };
}
