import { type LoadedMasterKey, loadMasterKey } from '@gatehouse/key-encryption';
import { createPostgresRepositories, type Database } from '@gatehouse/postgres';
import type { Settings } from '../settings/settings.ts';
import { SettingsError } from './start-error.ts';

/** The master key of the data folder, which is made where no signing keys are stored yet. */
export async function openMasterKey(
  { GATEHOUSE_DATA_DIR: dataDir }: Settings,
  database: Database,
): Promise<LoadedMasterKey> {
  const signingKeys = await createPostgresRepositories(database).signingKeys.list();
  // A new one would open none of the keys that are there.
  const loaded = await loadMasterKey({ dataDir, mayCreate: signingKeys.length === 0 });
  if (!loaded.ok) throw new SettingsError(loaded.error.message);
  return loaded.value;
}
