import type { SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import { openMasterKey } from '@gatehouse/installation/master-key';
import type { LoadedMasterKey } from '@gatehouse/key-encryption';
import { usageError } from './errors/command-error.ts';
import type { Prepared } from './prepare.ts';

/** Returns the configured master key or the data folder's, which is created with the first signing keys. */
export async function requireMasterKey(
  { settings, masterKey }: Prepared,
  signingKeys: SigningKeyRepository,
): Promise<LoadedMasterKey> {
  if (masterKey) return masterKey;
  const opened = await openMasterKey(settings, signingKeys);
  if (!opened.ok) throw usageError(`${opened.error.message}.`);
  return opened.value;
}
