import type { Operator, Principal } from '../access/index.ts';
import { UnavailableFault } from '../faults.ts';
import type { Ports } from '../ports.ts';
import { err, type Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenSigner } from '../tokens/token-signer.ts';
import { checkMasterKey } from './active-key.ts';
import type { KeyEncryption } from './key-encryption.ts';
import { keyEvent } from './key-events.ts';
import type { SigningKey } from './signing-key.ts';
import type { KeysChanged } from './signing-key-repository.ts';

/** Generates a key pair and encrypts its secret key. */
export async function newKey(
  signer: TokenSigner,
  encryption: KeyEncryption,
  { state, at }: { readonly state: 'staged' | 'active'; readonly at: Instant },
): Promise<SigningKey> {
  const { id, publicKey, secretKey } = await signer.generateKey();
  return {
    id,
    format: signer.format,
    state,
    publicKey,
    sealedSecret: await encryption.seal(secretKey, id),
    createdAt: at,
    activatedAt: state === 'active' ? at : null,
    retiredAt: null,
  };
}

export type EnsureKeysPorts = Ports<'signingKeys' | 'signers' | 'encryption' | 'clock'>;

/**
 * Creates a key for every format that has none. The first key of a format is active immediately, because no server can
 * know an older key. This function runs before anything is signed. It writes nothing if the keys in use are encrypted
 * with another master key. It returns one of the keys that it decrypted, if there is one.
 */
export function ensureKeys({ signingKeys, signers, encryption, clock }: EnsureKeysPorts) {
  return (caller: Principal | Operator) =>
    untilUnchanged(async () => {
      const checked = await checkMasterKey({ signingKeys, encryption });
      if (!checked.ok) return checked;
      let witness = checked.value;
      const formats = new Set((await signingKeys.list()).map((key) => key.format));
      for (const signer of signers) {
        if (formats.has(signer.format)) continue;
        const at = clock.now();
        const key = await newKey(signer, encryption, { state: 'active', at });
        const event = keyEvent(caller, at, 'key.created', key);
        const inserted = await signingKeys.insertFirst(key, event, witness);
        if (!inserted.ok) return inserted;
        if (inserted.value) witness ??= key;
      }
      // Another node may have created the first key, with another master key. So the master key is checked again.
      return checkMasterKey({ signingKeys, encryption });
    });
}

const MAX_ATTEMPTS = 10;

/** Calls `attempt` again, up to ten times in all, if another process has changed the keys during the attempt. */
export async function untilUnchanged<T, E extends { readonly code: string }>(
  attempt: () => Promise<Result<T, E | KeysChanged>>,
): Promise<Result<T, Exclude<E, KeysChanged>>> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const outcome = await attempt();
    if (outcome.ok) return outcome;
    if (outcome.error.code !== 'keys_changed') return err(outcome.error as Exclude<E, KeysChanged>);
  }
  throw new UnavailableFault(
    'other processes changed the signing keys during each attempt to use them: try again',
  );
}
