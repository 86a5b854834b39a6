import { ok, type Result } from '../result.ts';
import { type ActiveKeyPorts, rememberOpened } from './active-key.ts';
import type { MasterKeyRejected } from './key-encryption.ts';
import type { Witness } from './signing-key-repository.ts';

/**
 * Whether the master key is the one under which the keys in use are sealed. Answers with one of them. Those
 * that sign, or are to, are known to `openActiveKey` from now on, whatever becomes of the master key.
 */
export async function checkMasterKey({
  signingKeys,
  encryption,
}: ActiveKeyPorts): Promise<Result<Witness | undefined, MasterKeyRejected>> {
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
