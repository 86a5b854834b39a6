import { actorOf, authorized, MANAGE_KEYS } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';
import { signerOf } from '../tokens/issuing/mint-token.ts';
import type { TokenFormat } from '../tokens/token.ts';
import { type EnsureKeysPorts, ensureKeys, newKey, untilUnchanged } from './ensure-keys.ts';
import { keyEvent } from './key-events.ts';
import type { KeyId } from './signing-key.ts';
import { type KeyReport, reportKeys } from './signing-key-repository.ts';

/** Lists the keys of all states, oldest first, with the number of live tokens that each key signed. */
export const listKeys = authorized(
  MANAGE_KEYS,
  ({ signingKeys, clock }: Ports<'signingKeys' | 'clock'>) =>
    async () =>
      ok(await reportKeys(signingKeys, clock.now())),
);

export interface UsedKeyReport extends KeyReport {
  /** The time of the last use of any live token that the key signed; null if none of these tokens was ever used. */
  readonly lastUsedAt: Instant | null;
}

/** Shows a key, and the number of live tokens that would be rejected if the key were retired. */
export const showKey = authorized(
  MANAGE_KEYS,
  ({ signingKeys, clock }: Ports<'signingKeys' | 'clock'>) =>
    async (_, id: KeyId) => {
      const at = clock.now();
      const report = (await reportKeys(signingKeys, at)).find(({ key }) => key.id === id);
      if (!report) return err({ code: 'key_not_found' });
      return ok({ ...report, lastUsedAt: await signingKeys.findLastUse(id, at) });
    },
);

/**
 * Creates a staged key. A staged key signs nothing until it is activated. By then, every node has read the key and can
 * verify its signatures.
 */
export const createKey = authorized(
  MANAGE_KEYS,
  (ports: EnsureKeysPorts) => (caller, format: TokenFormat) =>
    untilUnchanged(async () => {
      const { signingKeys, signers, encryption, clock } = ports;
      // A staged key must not be the first key of a format, because no server would then create an active key. And the
      // master key must be the right one, because no server could otherwise decrypt the new key.
      const ensured = await ensureKeys(ports)(caller);
      if (!ensured.ok) return ensured;

      const at = clock.now();
      const key = await newKey(signerOf(signers, format), encryption, { state: 'staged', at });
      const inserted = await signingKeys.insert(key, keyEvent(caller, at, 'key.created', key), ensured.value);
      return inserted.ok ? ok(key) : inserted;
    }),
);

/** Activates a staged key. The key of the same format that was active before becomes verify-only. */
export const activateKey = authorized(
  MANAGE_KEYS,
  ({ signingKeys, clock, maxStalenessMs }: Ports<'signingKeys' | 'clock' | 'maxStalenessMs'>) =>
    async (caller, id: KeyId) => {
      const key = await signingKeys.findById(id);
      if (!key) return err({ code: 'key_not_found' });
      if (key.state !== 'staged') {
        return err({ code: 'key_state_conflict', state: key.state, needed: 'staged' });
      }
      const at = clock.now();
      // Before this time, a server may not have read the key yet, and would refuse tokens that the key signed.
      const activatableAt = addMilliseconds(key.createdAt, 2 * maxStalenessMs);
      if (at < activatableAt) return err({ code: 'key_too_young', activatableAt });
      return signingKeys.activate(id, at, keyEvent(caller, at, 'key.activated', key));
    },
);

/**
 * Retires a verify-only key. The tokens that the key signed are then permanently rejected. If live tokens are left, the
 * key is retired only if `revokeTokens` is true, and these tokens are also revoked.
 */
export const retireKey = authorized(
  MANAGE_KEYS,
  ({ signingKeys, clock }: Ports<'signingKeys' | 'clock'>) =>
    async (caller, { id, revokeTokens }: { readonly id: KeyId; readonly revokeTokens: boolean }) => {
      const key = await signingKeys.findById(id);
      if (!key) return err({ code: 'key_not_found' });
      const at = clock.now();
      const revocation = revokeTokens ? { at, by: actorOf(caller), reason: 'signing key retired' } : null;
      return signingKeys.retire(id, at, revocation, keyEvent(caller, at, 'key.retired', key));
    },
);
