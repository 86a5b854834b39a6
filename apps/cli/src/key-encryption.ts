import { resolve } from 'node:path';
import type { KeyEncryption, SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import type { Clock } from '@gatehouse/domain/time';
import { createFollowingKeyEncryption, type LoadedMasterKey, loadMasterKey } from '@gatehouse/key-encryption';
import { usageError } from './errors/command-error.ts';
import type { Prepared } from './prepare.ts';

export interface KeyEncryptionPorts {
  readonly signingKeys: SigningKeyRepository;
  readonly clock: Clock;
}

export async function openKeyEncryption(
  prepared: Prepared,
  { signingKeys, clock }: KeyEncryptionPorts,
): Promise<KeyEncryption> {
  return createFollowingKeyEncryption(await openMasterKey(prepared, signingKeys), clock);
}

/** The master key that was found, or else the one of the data folder, which is made for the first signing keys. */
export async function openMasterKey(
  { settings, masterKey }: Prepared,
  signingKeys: SigningKeyRepository,
): Promise<LoadedMasterKey> {
  if (masterKey) return masterKey;
  // With keys at rest, one that is missing was lost; a new one would only hide that.
  const mayCreate = (await signingKeys.list()).length === 0;
  const loaded = await loadMasterKey({ dataDir: resolve(settings.GATEHOUSE_DATA_DIR), mayCreate });
  if (!loaded.ok) throw usageError(`${loaded.error.message}.`);
  return loaded.value;
}
