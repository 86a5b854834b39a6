import type { Operator, Principal } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import type { Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import type { TokenSigner } from '../tokens/token-signer.ts';
import { checkMasterKey } from './check-master-key.ts';
import type { KeyEncryption, MasterKeyRejected } from './key-encryption.ts';
import { keyEvent } from './key-events.ts';
import { newKey } from './new-key.ts';
import type { SigningKeyRepository } from './signing-key-repository.ts';

export interface EnsureKeysPorts {
  readonly signingKeys: SigningKeyRepository;
  readonly signers: readonly TokenSigner[];
  readonly encryption: KeyEncryption;
  readonly clock: Clock;
}

/** Runs before anything is signed. Nothing is written when the master key is not the one in use. */
export type EnsureKeys = (caller: Principal | Operator) => Promise<Result<void, MasterKeyRejected>>;

/** Sees to it that every format has a key; the first of each is active at once, no node knowing an older one. */
export function ensureKeys({ signingKeys, signers, encryption, clock }: EnsureKeysPorts): EnsureKeys {
  return async (caller) => {
    const checked = await checkMasterKey({ signingKeys, encryption });
    if (!checked.ok) return checked;
    const formats = new Set((await signingKeys.list()).map((key) => key.format));
    for (const signer of signers) {
      if (formats.has(signer.format)) continue;
      const at = clock.now();
      const key = await newKey(signer, encryption, { state: 'active', at });
      await signingKeys.insertFirst(key, eventBy(caller, keyEvent('key.created', key, at)));
    }
    // Another node may have been first, under another master key.
    return checkMasterKey({ signingKeys, encryption });
  };
}
