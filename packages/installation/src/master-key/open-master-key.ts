import { resolve } from 'node:path';
import type { Result } from '@gatehouse/domain';
import type { MasterKeyUnusable, SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import { type LoadedMasterKey, loadMasterKey } from '@gatehouse/key-encryption';
import type { InstallationSettings } from '../settings/index.ts';

/** Opens the master key of the data folder, and creates it if no signing keys are stored yet. */
export async function openMasterKey(
  { GATEHOUSE_DATA_DIR }: Pick<InstallationSettings, 'GATEHOUSE_DATA_DIR'>,
  signingKeys: SigningKeyRepository,
): Promise<Result<LoadedMasterKey, MasterKeyUnusable>> {
  // If signing keys are stored, a missing master key was lost. A new one could not decrypt them and would hide that.
  const mayCreate = (await signingKeys.list()).length === 0;
  return loadMasterKey({ dataDir: resolve(GATEHOUSE_DATA_DIR), mayCreate });
}
