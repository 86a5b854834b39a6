import type { Ports } from '../ports.ts';
import { ok, type Result } from '../result.ts';
import { rememberOpened } from './active-key.ts';
import type { MasterKeyRejected } from './key-encryption.ts';
import type { Witness } from './signing-key-repository.ts';

/**
 * Checks that the keys in use are encrypted with this master key, and returns one of them. Active and staged keys are
 * remembered for `openActiveKey`, so replacing the master key does not affect this process.
 */
export async function checkMasterKey({
  signingKeys,
  encryption,
}: Ports<'signingKeys' | 'encryption'>): Promise<Result<Witness | undefined, MasterKeyRejected>> {
  let witness: Witness | undefined;
  for (const key of await signingKeys.list()) {
    if (key.state === 'retired') continue;
    const opened = await encryption.open(key.sealedSecret, key.id);
    if (!opened.ok) return opened;
    if (key.state !== 'verify-only') rememberOpened(encryption, key, opened.value);
    witness ??= key;
  }
  return ok(witness);
}
