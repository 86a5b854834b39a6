import type { Operator, Principal } from '../access/caller.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import type { Result } from '../result.ts';
import { checkMasterKey } from './check-master-key.ts';
import type { MasterKeyRejected } from './key-encryption.ts';
import { newKey } from './new-key.ts';
import type { KeysChanged, Witness } from './signing-key-repository.ts';
import { untilUnchanged } from './until-unchanged.ts';

export type EnsureKeysPorts = Ports<'signingKeys' | 'signers' | 'encryption' | 'clock'>;

/**
 * Runs before anything is signed. Writes nothing if the master key is not the one in use. Returns a key that it
 * decrypted, if there is one.
 */
type EnsureKeys = (caller: Principal | Operator) => Promise<Result<Witness | undefined, MasterKeyRejected>>;

/** Ensures that every format has a key. The first one is active at once, since no node can know an older one. */
export function ensureKeys(ports: EnsureKeysPorts): EnsureKeys {
  return (caller) => untilUnchanged(() => ensureOnce(ports, caller));
}

async function ensureOnce(
  { signingKeys, signers, encryption, clock }: EnsureKeysPorts,
  caller: Principal | Operator,
): Promise<Result<Witness | undefined, MasterKeyRejected | KeysChanged>> {
  const checked = await checkMasterKey({ signingKeys, encryption });
  if (!checked.ok) return checked;
  let witness = checked.value;
  const formats = new Set((await signingKeys.list()).map((key) => key.format));
  for (const signer of signers) {
    if (formats.has(signer.format)) continue;
    const at = clock.now();
    const key = await newKey(signer, encryption, { state: 'active', at });
    const event = eventBy(caller, eventOf(at, 'key.created', key, { format: key.format }));
    const inserted = await signingKeys.insertFirst(key, event, witness);
    if (!inserted.ok) return inserted;
    if (inserted.value) witness ??= key;
  }
  // Another node may have created the first key with another master key.
  return checkMasterKey({ signingKeys, encryption });
}
