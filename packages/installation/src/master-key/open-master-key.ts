import { resolve } from 'node:path';
import type { Result } from '@gatehouse/domain';
import type { MasterKeyUnusable, SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import { type LoadedMasterKey, loadMasterKey } from '@gatehouse/key-encryption';
import type { InstallationSettings } from '../settings/index.ts';

/** The master key of the data folder, which is made where no signing keys are stored yet. */
export async function openMasterKey(
  { GATEHOUSE_DATA_DIR }: Pick<InstallationSettings, 'GATEHOUSE_DATA_DIR'>,
  signingKeys: SigningKeyRepository,
): Promise<Result<LoadedMasterKey, MasterKeyUnusable>> {
  // With signing keys stored, one that is missing was lost; a new one would open none of them, and only hide that.
  const mayCreate = (await signingKeys.list()).length === 0;
  return loadMasterKey({ dataDir: resolve(GATEHOUSE_DATA_DIR), mayCreate });
}
