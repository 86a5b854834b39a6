import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import { err, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import { type Instant, later } from '../time/instant.ts';
import { keyEvent } from './key-events.ts';
import type { KeyId, SigningKey } from './signing-key.ts';
import type { KeyNotFound, KeyStateConflict, SigningKeyRepository } from './signing-key-repository.ts';

/** A node may not have heard of the key yet, and would refuse what it signs. */
export interface KeyTooYoung {
  readonly code: 'key_too_young';
  readonly activatableAt: Instant;
}

export interface ActivateKeyPorts {
  readonly signingKeys: SigningKeyRepository;
  readonly clock: Clock;
  /** How long a node may take to hear of a change, in milliseconds. */
  readonly maxStalenessMs: number;
}

export type ActivateKey = (
  caller: Caller,
  id: KeyId,
) => Promise<Result<SigningKey, AccessDenied | KeyNotFound | KeyStateConflict | KeyTooYoung>>;

/** Makes a staged key the one that signs; the key before it goes on verifying. */
export function activateKey({ signingKeys, clock, maxStalenessMs }: ActivateKeyPorts): ActivateKey {
  return async (caller, id) => {
    const allowed = authorize(caller, 'keys:manage');
    if (!allowed.ok) return allowed;
    const key = await signingKeys.findById(id);
    if (!key) return err({ code: 'key_not_found' });
    if (key.state !== 'staged')
      return err({ code: 'key_state_conflict', state: key.state, needed: 'staged' });
    const at = clock.now();
    const activatableAt = later(key.createdAt, 2 * maxStalenessMs);
    if (at < activatableAt) return err({ code: 'key_too_young', activatableAt });
    return signingKeys.activate(id, at, eventBy(allowed.value, keyEvent('key.activated', key, at)));
  };
}
