import { resolve } from 'node:path';
import { err, ok } from '@gatehouse/domain';
import type { FindMasterKey } from '@gatehouse/domain/health';
import type { Clock } from '@gatehouse/domain/time';
import {
  createFollowingKeyEncryption,
  keptMasterKeyFiles,
  loadMasterKey,
  masterKeySettings,
} from '@gatehouse/key-encryption';
import { exposureOfFile } from '@gatehouse/key-encryption/private-files';
import { z } from 'zod';
import { type Environment, problemsOf, type Settings, withoutEmpty } from './settings.ts';

/**
 * The master key as commands and servers use it, which includes one that waits beside it to take its place. Undefined
 * where the settings name none; with the embedded database there always is one.
 */
export async function findMasterKey(
  { DATABASE_URL, GATEHOUSE_DATA_DIR }: Settings,
  environment: Environment,
  clock: Clock,
): ReturnType<FindMasterKey> {
  const parsed = z.object(masterKeySettings).safeParse(withoutEmpty(environment));
  if (!parsed.success)
    return err({ code: 'master_key_unusable', message: problemsOf(parsed.error).join('; ') });
  const { GATEHOUSE_MASTER_KEY, GATEHOUSE_MASTER_KEY_FILE } = parsed.data;
  const isEmbedded = DATABASE_URL === undefined;
  if (!isEmbedded && !GATEHOUSE_MASTER_KEY && GATEHOUSE_MASTER_KEY_FILE === undefined) return undefined;
  const dataDir = isEmbedded ? resolve(GATEHOUSE_DATA_DIR) : undefined;
  const loaded = await loadMasterKey({ ...parsed.data, dataDir, mayCreate: false });
  if (!loaded.ok) return loaded;
  const exposed = await exposureOfKept(loaded.value.file);
  if (exposed !== undefined) return err({ code: 'master_key_unusable', message: exposed });
  return ok(createFollowingKeyEncryption(loaded.value, clock));
}

/** Former master keys open the signing keys of backups, which often still sign. */
async function exposureOfKept(file: string | undefined): Promise<string | undefined> {
  const kept = file === undefined ? [] : await keptMasterKeyFiles(file);
  return kept
    .map((path) => exposureOfFile(path, { groupMayRead: true }))
    .find((found) => found !== undefined);
}
