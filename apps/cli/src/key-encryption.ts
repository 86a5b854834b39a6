import { resolve } from 'node:path';
import type { KeyEncryption, SigningKeyRepository } from '@gatehouse/domain';
import { createKeyEncryption, loadMasterKey, masterKeySettings } from '@gatehouse/key-encryption';
import { z } from 'zod';
import { CommandError } from './errors/command-error.ts';
import { EXIT } from './errors/exit-status.ts';
import { describe, type Environment, type Settings, withoutEmpty } from './settings.ts';

/** Loads the master key. Only commands that sign or seal come here, so the others do without it. */
export async function openKeyEncryption(
  { DATABASE_URL, GATEHOUSE_DATA_DIR }: Settings,
  environment: Environment,
  signingKeys: SigningKeyRepository,
): Promise<KeyEncryption> {
  const parsed = z.object(masterKeySettings).safeParse(withoutEmpty(environment));
  if (!parsed.success) throw unusable(describe(parsed.error));
  const masterKey = await loadMasterKey({
    ...parsed.data,
    ...(DATABASE_URL === undefined && { dataDir: resolve(GATEHOUSE_DATA_DIR) }),
    // With keys at rest, one that is missing was lost; a new one would only hide that.
    mayCreate: (await signingKeys.list()).length === 0,
  });
  if (!masterKey.ok) throw unusable(masterKey.error.message);
  return createKeyEncryption({ masterKey: masterKey.value });
}

function unusable(message: string): CommandError {
  return new CommandError(EXIT.fault, `${message}.`);
}
