import { type AnyMigration, type Belonging, schemaOf } from '@gatehouse/extension-kit/postgres';
import type { Database } from '../database/database.ts';
import { type MigrationSequence, statesOf } from '../database/migrator/schema-state.ts';

export interface ExtensionMigrations {
  /** The extension's name. */
  readonly name: string;
  readonly migrations: Readonly<Record<string, AnyMigration>>;
}

/** The migrations of an extension, and its tables with rows of organizations or accounts. */
export interface StoredExtension extends ExtensionMigrations {
  readonly belongings: readonly Belonging[];
}

/** The migration table of each extension. It also marks a schema as one of an extension; Gatehouse's own has another name. */
export const EXTENSION_TABLE = 'gatehouse_migration';

export function sequenceOf({ name, migrations }: ExtensionMigrations): Required<MigrationSequence> {
  return { migrations, label: name, schema: schemaOf(name), table: EXTENSION_TABLE };
}

/** Returns the state of the schema of each of these extensions, in their order, by two statements for all of them. */
export function extensionStates(database: Database, extensions: readonly ExtensionMigrations[]) {
  return statesOf(database, extensions.map(sequenceOf));
}
