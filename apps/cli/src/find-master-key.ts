import { resolve } from 'node:path';
import { type Clock, err, type FindMasterKey, ok } from '@gatehouse/domain';
import { createFollowingKeyEncryption, loadMasterKey, masterKeySettings } from '@gatehouse/key-encryption';
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
  return loaded.ok ? ok(createFollowingKeyEncryption(loaded.value, clock)) : loaded;
}
