import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import { ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import { signerOf } from '../tokens/mint-token.ts';
import type { TokenFormat } from '../tokens/token-format.ts';
import type { TokenSigner } from '../tokens/token-signer.ts';
import { checkMasterKey } from './check-master-key.ts';
import type { KeyEncryption, MasterKeyRejected } from './key-encryption.ts';
import { keyEvent } from './key-events.ts';
import { newKey } from './new-key.ts';
import type { SigningKey } from './signing-key.ts';
import type { SigningKeyRepository } from './signing-key-repository.ts';

export interface CreateKeyPorts {
  readonly signingKeys: SigningKeyRepository;
  readonly signers: readonly TokenSigner[];
  readonly encryption: KeyEncryption;
  readonly clock: Clock;
}

export type CreateKey = (
  caller: Caller,
  format: TokenFormat,
) => Promise<Result<SigningKey, AccessDenied | MasterKeyRejected>>;

/** Creates a staged key: every node learns of it before anything is signed with it. */
export function createKey({ signingKeys, signers, encryption, clock }: CreateKeyPorts): CreateKey {
  return async (caller, format) => {
    const allowed = authorize(caller, 'keys:manage');
    if (!allowed.ok) return allowed;
    // A key sealed under a mistaken master key could be opened by no server.
    const masterKey = await checkMasterKey({ signingKeys, encryption });
    if (!masterKey.ok) return masterKey;

    const at = clock.now();
    const key = await newKey(signerOf(signers, format), encryption, { state: 'staged', at });
    await signingKeys.insert(key, eventBy(allowed.value, keyEvent('key.created', key, at)));
    return ok(key);
  };
}
