import { type AccessDenied, authorize } from '../access/authorize.ts';
import { actorOf, type Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import { err, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import { keyEvent } from './key-events.ts';
import type { KeyId } from './signing-key.ts';
import type {
  KeyInUse,
  KeyNotFound,
  KeyStateConflict,
  RetiredKey,
  SigningKeyRepository,
} from './signing-key-repository.ts';

export interface RetireKeyPorts {
  readonly signingKeys: SigningKeyRepository;
  readonly clock: Clock;
}

export interface RetireKeyInput {
  readonly id: KeyId;
  /** Whether tokens that the key signed and that are still good are to end with it. */
  readonly revokeTokens: boolean;
}

export type RetireKey = (
  caller: Caller,
  input: RetireKeyInput,
) => Promise<Result<RetiredKey, AccessDenied | KeyNotFound | KeyStateConflict | KeyInUse>>;

const REASON = 'signing key retired';

/** Ends a key that only verifies: from then on nothing that it signed is accepted. */
export function retireKey({ signingKeys, clock }: RetireKeyPorts): RetireKey {
  return async (caller, { id, revokeTokens }) => {
    const allowed = authorize(caller, 'keys:manage');
    if (!allowed.ok) return allowed;
    const key = await signingKeys.findById(id);
    if (!key) return err({ code: 'key_not_found' });
    const at = clock.now();
    const revocation = revokeTokens ? { at, by: actorOf(allowed.value), reason: REASON } : null;
    return signingKeys.retire(id, at, revocation, eventBy(allowed.value, keyEvent('key.retired', key, at)));
  };
}
