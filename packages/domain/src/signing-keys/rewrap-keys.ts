import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import { ok, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import type { MasterKeyRejected } from './key-encryption.ts';
import { keyEvent } from './key-events.ts';
import type { MasterKeyReplacement, MasterKeys } from './master-keys.ts';
import type { SealedSecret, SigningKey } from './signing-key.ts';
import type { KeysChanged, SigningKeyRepository } from './signing-key-repository.ts';

export interface RewrapKeysPorts {
  readonly signingKeys: SigningKeyRepository;
  readonly masterKeys: MasterKeys;
  readonly clock: Clock;
}

export interface RewrappedKeys {
  /** How many keys were encrypted anew. */
  readonly rewrapped: number;
  /** How many were under the new master key already, because this had been done before. */
  readonly unchanged: number;
}

/** Replaces the master key: every key that is not retired is encrypted under the new one, all of them at once. */
export type RewrapKeys = (
  caller: Caller,
) => Promise<Result<RewrappedKeys, AccessDenied | MasterKeyRejected | KeysChanged>>;

/** May be interrupted at any point, and done again: at each moment one of the two master keys opens all keys. */
export function rewrapKeys({ signingKeys, masterKeys, clock }: RewrapKeysPorts): RewrapKeys {
  return async (caller) => {
    const allowed = authorize(caller, 'keys:manage');
    if (!allowed.ok) return allowed;
    return masterKeys.replace(async (replacement) => {
      const inUse = (await signingKeys.list()).filter(({ state }) => state !== 'retired');
      const at = clock.now();
      const resealings = [];
      const events = [];
      for (const key of inUse) {
        const resealed = await reseal(replacement, key);
        if (!resealed.ok) return resealed;
        resealings.push({ id: key.id, from: key.sealedSecret, to: resealed.value });
        if (resealed.value === key.sealedSecret) continue;
        events.push(eventBy(allowed.value, keyEvent('key.rewrapped', key, at)));
      }
      const stored = await signingKeys.reseal(resealings, events);
      if (!stored.ok) return stored;
      await replacement.complete();
      return ok({ rewrapped: events.length, unchanged: inUse.length - events.length });
    });
  };
}

/** The same secret under the next master key; what is under it already stays as it is. */
async function reseal(
  { current, next }: MasterKeyReplacement,
  { id, sealedSecret }: SigningKey,
): Promise<Result<SealedSecret, MasterKeyRejected>> {
  if ((await next.open(sealedSecret, id)).ok) return ok(sealedSecret);
  const secret = await current.open(sealedSecret, id);
  return secret.ok ? ok(await next.seal(secret.value, id)) : secret;
}
