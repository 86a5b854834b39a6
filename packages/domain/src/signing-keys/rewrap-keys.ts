import { authorized, MANAGE_KEYS } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import { resealSecondFactors } from '../second-factor/reseal-second-factors.ts';
import { resealWebhooks } from '../webhooks/reseal-webhooks.ts';
import type { MasterKeyReplacement } from './key-encryption.ts';
import { keyEvent } from './key-events.ts';
import type { SigningKey } from './signing-key.ts';

type RewrapPorts = Ports<
  'signingKeys' | 'auditSeals' | 'secondFactors' | 'webhooks' | 'masterKeys' | 'clock'
>;

/**
 * Re-encrypts all signing keys in use, the key of the audit seals and the secrets of second factors and webhooks with a
 * new master key. This function can be interrupted at any point and run again: at each moment, one of the two master keys decrypts
 * each secret. Returns the number of signing keys that were re-encrypted, the number that an earlier run had already
 * re-encrypted, and the same numbers of second factors and of the secrets of webhooks.
 */
export const rewrapKeys = authorized(
  MANAGE_KEYS,
  ({ signingKeys, auditSeals, secondFactors, webhooks, masterKeys, clock }: RewrapPorts) =>
    async (caller) =>
      masterKeys.replace(async (replacement) => {
        const inUse = (await signingKeys.list()).filter(({ state }) => state !== 'retired');
        const at = clock.now();
        const resealings = [];
        for (const key of [...inUse, await auditSeals.findKey()]) {
          if (!key) continue;
          const resealed = await reseal(replacement, key);
          if (!resealed.ok) return resealed;
          resealings.push({ id: key.id, from: key.sealedSecret, to: resealed.value });
        }
        const changed = new Set(resealings.filter(({ from, to }) => from !== to).map(({ id }) => id));
        const events = inUse
          .filter(({ id }) => changed.has(id))
          .map((key) => keyEvent(caller, at, 'key.rewrapped', key));
        const stored = await signingKeys.reseal(resealings, events);
        if (!stored.ok) return stored;
        const factors = await resealSecondFactors({ secondFactors }, replacement);
        const hooks = await resealWebhooks({ webhooks }, replacement);
        await replacement.complete();
        const unchanged = inUse.length - events.length;
        return ok({ rewrapped: events.length, unchanged, factors, webhooks: hooks });
      }),
);

/**
 * Encrypts the secret with the next master key. Returns the secret unchanged if it is already encrypted with the next
 * master key.
 */
async function reseal(
  { current, next }: MasterKeyReplacement,
  { id, sealedSecret }: Pick<SigningKey, 'id' | 'sealedSecret'>,
) {
  if ((await next.open(sealedSecret, id)).ok) return ok(sealedSecret);
  const secret = await current.open(sealedSecret, id);
  return secret.ok ? ok(await next.seal(secret.value, id)) : secret;
}
