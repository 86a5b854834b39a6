import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import { ok, type Result } from '../result.ts';
import { signerOf } from '../tokens/issuing/mint-token.ts';
import type { TokenFormat } from '../tokens/token-format.ts';
import { type EnsureKeysPorts, ensureKeys } from './ensure-keys.ts';
import type { MasterKeyRejected } from './key-encryption.ts';
import { keyEvent } from './key-events.ts';
import { newKey } from './new-key.ts';
import type { SigningKey } from './signing-key.ts';
import { untilUnchanged } from './until-unchanged.ts';

export type CreateKeyPorts = EnsureKeysPorts;

export type CreateKey = (
  caller: Caller,
  format: TokenFormat,
) => Promise<Result<SigningKey, AccessDenied | MasterKeyRejected>>;

/** Creates a staged key: every node learns of it before anything is signed with it. */
export function createKey(ports: CreateKeyPorts): CreateKey {
  const { signingKeys, signers, encryption, clock } = ports;
  return async (caller, format) => {
    const allowed = authorize(caller, 'keys:manage');
    if (!allowed.ok) return allowed;
    return untilUnchanged(async () => {
      // A staged key that is its format's first would keep every server from making one that is active. And a key
      // sealed under a mistaken master key could be opened by none.
      const ensured = await ensureKeys(ports)(allowed.value);
      if (!ensured.ok) return ensured;

      const at = clock.now();
      const key = await newKey(signerOf(signers, format), encryption, { state: 'staged', at });
      const event = eventBy(allowed.value, keyEvent('key.created', key, at));
      const inserted = await signingKeys.insert(key, event, ensured.value);
      return inserted.ok ? ok(key) : inserted;
    });
  };
}
