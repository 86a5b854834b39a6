import { ok, type Result } from '../result.ts';
import type { ActiveKeyPorts } from './active-key.ts';
import type { MasterKeyRejected } from './key-encryption.ts';

/** Whether the master key is the one under which the keys in use are sealed. */
export async function checkMasterKey({
  signingKeys,
  encryption,
}: ActiveKeyPorts): Promise<Result<void, MasterKeyRejected>> {
  for (const key of await signingKeys.list()) {
    if (key.state === 'retired') continue;
    const opened = await encryption.open(key.sealedSecret, key.id);
    if (!opened.ok) return opened;
  }
  return ok(undefined);
}
