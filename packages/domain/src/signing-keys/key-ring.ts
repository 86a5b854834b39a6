import type { Awaitable } from '../awaitable.ts';
import type { Clock } from '../time/clock.ts';
import type { KeyId, VerificationKey } from './signing-key.ts';
import type { SigningKeyRepository } from './signing-key-repository.ts';

/** Finds the public key that a token names, without reading the database for each token. */
export interface KeyRing {
  find(id: KeyId): Awaitable<VerificationKey | undefined>;
}

/**
 * If a token names an unknown key, all keys are read again, but at most once in this time, in milliseconds. So forged
 * key ids cannot cause much load.
 */
export const KEY_RING_RELOAD_MS = 1000;

type KeyListPorts = { readonly signingKeys: Pick<SigningKeyRepository, 'list'> };

/**
 * Caches public keys forever, because the key that belongs to an id never changes. Whether a key is retired is part of
 * the token's record, which is checked for each request.
 */
export function createKeyRing({ signingKeys, clock }: KeyListPorts & { readonly clock: Clock }): KeyRing {
  let known: ReadonlyMap<KeyId, VerificationKey> = new Map();
  let loading: Promise<void> | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;

  async function load(): Promise<void> {
    try {
      const keys = await signingKeys.list();
      // A key that was already known keeps the same object, so that signers can cache data for the object.
      known = new Map(keys.map((key) => [key.id, known.get(key.id) ?? verificationKeyOf(key)]));
    } catch (fault) {
      // After a failed read, the next caller reads again.
      loadedAt = Number.NEGATIVE_INFINITY;
      throw fault;
    } finally {
      loading = undefined;
    }
  }

  async function findLoaded(id: KeyId): Promise<VerificationKey | undefined> {
    const age = clock.now() - loadedAt;
    if (!loading && (age < 0 || age >= KEY_RING_RELOAD_MS)) {
      loadedAt = clock.now();
      loading = load();
    }
    await loading;
    return known.get(id);
  }

  return { find: (id) => known.get(id) ?? findLoaded(id) };
}

function verificationKeyOf({ id, format, publicKey }: VerificationKey): VerificationKey {
  return Object.freeze({ id, format, publicKey });
}

/** Lists the public keys that are not retired, for clients that verify the signatures of tokens themselves. */
export type ListPublicKeys = () => Promise<readonly VerificationKey[]>;

export function listPublicKeys({ signingKeys }: KeyListPorts): ListPublicKeys {
  return async () => {
    const keys = await signingKeys.list();
    return keys.filter(({ state }) => state !== 'retired').map(verificationKeyOf);
  };
}
