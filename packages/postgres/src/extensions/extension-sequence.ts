import { type AnyMigration, type Belonging, schemaOf } from '@gatehouse/extension-kit/postgres';
import type { MigrationSequence } from '../database/migrator/migration-sequence.ts';

/** An extension with its tables. */
export interface StoredExtension {
  readonly name: string;
  readonly migrations: Readonly<Record<string, AnyMigration>>;
  readonly belongings: readonly Belonging[];
}

/** The migration table of each extension. It also marks a schema as one of an extension; Gatehouse's own has another name. */
export const EXTENSION_TABLE = 'gatehouse_migration';

export function sequenceOf({
  name,
  migrations,
}: Omit<StoredExtension, 'belongings'>): Required<MigrationSequence> {
  return { migrations, label: name, schema: schemaOf(name), table: EXTENSION_TABLE };
}
