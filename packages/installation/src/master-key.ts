import { resolve } from 'node:path';
import { err, ok, type Result } from '@gatehouse/domain';
import type { FindMasterKey } from '@gatehouse/domain/health';
import type { MasterKeyUnusable, SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import type { Clock } from '@gatehouse/domain/time';
import {
  createFollowingKeyEncryption,
  keptMasterKeyFiles,
  type LoadedMasterKey,
  loadMasterKey,
  parseMasterKey,
} from '@gatehouse/key-encryption';
import { exposureOfFile } from '@gatehouse/key-encryption/private-files';
import {
  type Environment,
  embeddedDataDir,
  type InstallationSettings,
  parseSettings,
  path,
  setting,
} from './settings/index.ts';

const masterKey = setting('32 bytes in base64url (43 characters)', (text) => {
  const parsed = parseMasterKey(text);
  return parsed.ok ? ok(parsed.value) : err(parsed.error.message);
});

/** The settings with the master key. At most one of these settings may be set, which `loadMasterKey` checks. */
export const masterKeySettings = {
  GATEHOUSE_MASTER_KEY: masterKey.optional(),
  GATEHOUSE_MASTER_KEY_FILE: path.optional(),
};

/**
 * Finds the master key that commands and servers use. If the master key is being replaced, the result also has the next
 * key. Undefined if the settings name no master key; with the embedded database, the key in the data folder is used
 * instead.
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

/**
 * Returns a problem if other users can read a kept file of a former master key. Former master keys must stay private,
 * because they decrypt the signing keys in old backups, which may still be active.
 */
async function exposureOfKept(file: string | undefined): Promise<string | undefined> {
  const kept = file === undefined ? [] : await keptMasterKeyFiles(file);
  return kept
    .map((path) => exposureOfFile(path, { groupMayRead: true }))
    .find((found) => found !== undefined);
}

/** Reads the master key in the data folder, or creates it if the database has no signing keys yet. */
export async function openMasterKey(
  { GATEHOUSE_DATA_DIR }: Pick<InstallationSettings, 'GATEHOUSE_DATA_DIR'>,
  signingKeys: SigningKeyRepository,
): Promise<Result<LoadedMasterKey, MasterKeyUnusable>> {
  // If signing keys are stored but there is no master key, the master key was lost. A new one could not decrypt the
  // signing keys, and would hide the loss.
  const mayCreate = (await signingKeys.list()).length === 0;
  return loadMasterKey({ dataDir: resolve(GATEHOUSE_DATA_DIR), mayCreate });
}
