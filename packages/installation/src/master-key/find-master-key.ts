import { err, ok } from '@gatehouse/domain';
import type { FindMasterKey } from '@gatehouse/domain/health';
import type { Clock } from '@gatehouse/domain/time';
import { createFollowingKeyEncryption, keptMasterKeyFiles, loadMasterKey } from '@gatehouse/key-encryption';
import { exposureOfFile } from '@gatehouse/key-encryption/private-files';
import { type Environment, embeddedDataDir, parseSettings } from '../settings/index.ts';
import { masterKeySettings } from './master-key-settings.ts';

/**
 * Finds the master key that commands and servers use, with the next one if a replacement is in progress. Undefined if
 * the settings name none; with the embedded database there always is one.
 */
export async function findMasterKey(environment: Environment, clock: Clock): ReturnType<FindMasterKey> {
  const parsed = parseSettings(masterKeySettings, environment);
  if (!parsed.ok) return err({ code: 'master_key_unusable', message: parsed.error.join('; ') });
  const { GATEHOUSE_MASTER_KEY, GATEHOUSE_MASTER_KEY_FILE } = parsed.value;
  const dataDir = embeddedDataDir(environment);
  const isNamed = GATEHOUSE_MASTER_KEY !== undefined || GATEHOUSE_MASTER_KEY_FILE !== undefined;
  if (dataDir === undefined && !isNamed) return undefined;
  const loaded = await loadMasterKey({ ...parsed.value, dataDir, mayCreate: false });
  if (!loaded.ok) return loaded;
  const exposed = await exposureOfKept(loaded.value.file);
  if (exposed !== undefined) return err({ code: 'master_key_unusable', message: exposed });
  return ok(createFollowingKeyEncryption(loaded.value, clock));
}

/** Former master keys decrypt the signing keys in backups, which are often still active. */
async function exposureOfKept(file: string | undefined): Promise<string | undefined> {
  const kept = file === undefined ? [] : await keptMasterKeyFiles(file);
  return kept
    .map((path) => exposureOfFile(path, { groupMayRead: true }))
    .find((found) => found !== undefined);
}
