import type { SchemaState } from '@gatehouse/domain/health';
import type { Database } from '../database/database.ts';
import { statesOf } from '../database/migrator/schema-state.ts';
import { type StoredExtension, sequenceOf } from './extension-sequence.ts';

/** Returns the state of the schema of each of these extensions, in their order, by two statements for all of them. */
export async function extensionStates(
  database: Database,
  extensions: readonly Omit<StoredExtension, 'belongings'>[],
): Promise<readonly SchemaState[]> {
  return statesOf(database, extensions.map(sequenceOf));
}
