import { type AnyMigration, type Belonging, schemaOf } from '@gatehouse/extension-kit/postgres';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type MigrateOptions, runMigrations } from '../database/migrator/migrate.ts';
import { type MigrationSequence, stateOf, statesOf } from '../database/migrator/schema-state.ts';
import { onPrimary } from '../database/primary/primary-only.ts';

export interface ExtensionMigrations {
  /** The extension's name. */
  readonly name: string;
  readonly migrations: Readonly<Record<string, AnyMigration>>;
}

/** The migrations of an extension, and a list of its tables whose rows belong to organizations or accounts. */
export interface StoredExtension extends ExtensionMigrations {
  readonly belongings: readonly Belonging[];
}

/** The name of the migration table of every extension. A schema with a table of this name belongs to an extension. */
export const EXTENSION_TABLE = 'gatehouse_migration';

export function sequenceOf({ name, migrations }: ExtensionMigrations): Required<MigrationSequence> {
  return { migrations, label: name, schema: schemaOf(name), table: EXTENSION_TABLE };
}

/**
 * Returns the state of the schema of each of these extensions, in their order. Runs only two statements for all of
 * them.
 */
export function extensionStates(database: Database, extensions: readonly ExtensionMigrations[]) {
  return statesOf(database, extensions.map(sequenceOf));
}

/** The schema that an extension needs already has tables of another program. */
export class ForeignSchema extends Error {
  override readonly name = 'ForeignSchema';
}

/**
 * Applies the missing migrations of the extension, with the transactions and retries of `migrateToLatest`. Creates the
 * schema of the extension before the first migration. Returns the names of the applied migrations, each after the name
 * of the extension, and whether the schema was created.
 */
export async function migrateExtension(
  database: Database,
  extension: ExtensionMigrations,
  options: MigrateOptions = {},
) {
  const sequence = sequenceOf(extension);
  const found = await inspect(database, sequence.schema);
  if (found.hasTables && !found.isMarked) {
    throw new ForeignSchema(
      `the schema ${sequence.schema} has tables of another program, but the extension needs a schema of this name: rename the schema, and migrate again`,
    );
  }
  // If all migrations are applied, this returns without waiting for the migration lock.
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
