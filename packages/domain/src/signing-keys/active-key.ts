import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import type { TokenFormat } from '../tokens/token.ts';
import type { KeyPair } from '../tokens/token-signer.ts';
import type { KeyEncryption, MasterKeyRejected } from './key-encryption.ts';
import type { KeyId, SigningKey } from './signing-key.ts';
import type { Witness } from './signing-key-repository.ts';

/** No key of this format is active, so no token can be signed until one is created and activated. */
export interface NoActiveKey {
  readonly code: 'no_active_key';
  readonly format: TokenFormat;
}

/**
 * Returns the active key of this format, which signs new tokens. Looks up the active key for each call, and decrypts each key
 * once, because the key of an id never changes. So a process keeps signing when the master key is replaced.
 */
export async function openActiveKey(
  { signingKeys, encryption }: Ports<'signingKeys' | 'encryption'>,
  format: TokenFormat,
): Promise<Result<KeyPair, NoActiveKey | MasterKeyRejected>> {
  const key = await signingKeys.findActive(format);
  if (!key) return err({ code: 'no_active_key', format });
  const known = openedBy(encryption).get(key.id);
  if (known) return ok(known);
  const secret = await encryption.open(key.sealedSecret, key.id);
  return secret.ok ? ok(rememberOpened(encryption, key, secret.value)) : secret;
}

/**
 * Remembers the active key of this format, so that issuing a token does not read the key. Another key may have become active
 * since, so the transaction that stores the token must check that the key is still active.
 */
export function rememberActiveKey(ports: Ports<'signingKeys' | 'encryption'>, format: TokenFormat) {
  let last: KeyPair | undefined;
  return {
    /** Reads the key the first time. */
    async open(): ReturnType<typeof openActiveKey> {
      if (last) return ok(last);
      const opened = await openActiveKey(ports, format);
      if (opened.ok) last = opened.value;
      return opened;
    },
    /** Makes the next `open` read the key again, unless `open` has read another key since it returned this one. */
    forget(outdated: KeyPair): void {
      if (last === outdated) last = undefined;
    },
  };
}

/** Returns the same object each time for one key, so that signers can cache data for the object. */
function rememberOpened(
  encryption: KeyEncryption,
  { id, publicKey }: SigningKey,
  secretKey: Uint8Array,
): KeyPair {
  const known = openedBy(encryption);
  const keyPair = known.get(id) ?? Object.freeze({ id, publicKey, secretKey });
  known.set(id, keyPair);
  return keyPair;
}

const opened = new WeakMap<KeyEncryption, Map<KeyId, KeyPair>>();

/** Returns the keys that this encryption has decrypted. Another encryption must decrypt them itself. */
function openedBy(encryption: KeyEncryption): Map<KeyId, KeyPair> {
  const known = opened.get(encryption) ?? new Map<KeyId, KeyPair>();
  opened.set(encryption, known);
  return known;
}

/**
 * Checks that the keys in use are encrypted with this master key, and returns one of them. Active and staged keys are
 * remembered for `openActiveKey`, so replacing the master key does not affect this process.
 */
export async function checkMasterKey({
  signingKeys,
  encryption,
}: Ports<'signingKeys' | 'encryption'>): Promise<Result<Witness | undefined, MasterKeyRejected>> {
  let witness: Witness | undefined;
  for (const key of await signingKeys.list()) {
    if (key.state === 'retired') continue;
    const opened = await encryption.open(key.sealedSecret, key.id);
    if (!opened.ok) return opened;
    if (key.state !== 'verify-only') rememberOpened(encryption, key, opened.value);
    witness ??= key;
  }
  return ok(witness);
}
