import { err, ok } from '@gatehouse/domain';
import { parseMasterKey } from '@gatehouse/key-encryption';
import { path, setting } from '../settings/index.ts';

const masterKey = setting((text) => {
  const parsed = parseMasterKey(text);
  return parsed.ok ? ok(parsed.value) : err(parsed.error.message);
});

/** The source of the master key. At most one of the two is set, which `loadMasterKey` checks. */
export const masterKeySettings = {
  GATEHOUSE_MASTER_KEY: masterKey.optional(),
  GATEHOUSE_MASTER_KEY_FILE: path.optional(),
};
