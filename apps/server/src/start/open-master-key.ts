import { type LoadedMasterKey, loadMasterKey } from '@gatehouse/key-encryption';
import { createPostgresSigningKeyRepository, type Database } from '@gatehouse/postgres';
import type { Settings } from '../settings/settings.ts';
import { StartError } from './start-error.ts';

/** The master key that is given; with the embedded database, the one in the data folder. */
export async function openMasterKey(settings: Settings, database: Database): Promise<LoadedMasterKey> {
  const { DATABASE_URL: url, GATEHOUSE_DATA_DIR: dataDir } = settings;
  const signingKeys = await createPostgresSigningKeyRepository(database).list();
  const loaded = await loadMasterKey({
    ...settings,
    dataDir: url === undefined ? dataDir : undefined,
    // A new one would open none of the keys that are there.
    mayCreate: signingKeys.length === 0,
  });
  if (!loaded.ok) throw new StartError(loaded.error.message);
  return loaded.value;
}
