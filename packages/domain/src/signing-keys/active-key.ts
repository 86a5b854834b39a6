import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import type { TokenFormat } from '../tokens/token.ts';
import type { KeyPair } from '../tokens/token-signer.ts';
import type { KeyEncryption, MasterKeyRejected } from './key-encryption.ts';
import type { KeyId, SigningKey } from './signing-key.ts';
import type { Witness } from './signing-key-repository.ts';

/** The error if no key of this format is active. No token can be signed before a key is created and activated. */
export interface NoActiveKey {
  readonly code: 'no_active_key';
  readonly format: TokenFormat;
}

/**
 * Returns the active key of this format, which signs new tokens. Each call reads which key is active. Each key is
 * decrypted only once, because the key that belongs to an id never changes. So a process can go on signing after the
 * master key was replaced.
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
 * Keeps the active key of this format in memory, so that it need not be read for each issued token. Another key may
 * have become active since the key was read. So the transaction that stores the token must check that the key is still
 * active.
 */
export function rememberActiveKey(ports: Ports<'signingKeys' | 'encryption'>, format: TokenFormat) {
  let last: KeyPair | undefined;
  return {
    /** Returns the key in memory, and reads the key if none is in memory yet. */
    async open(): ReturnType<typeof openActiveKey> {
      if (last) return ok(last);
      const opened = await openActiveKey(ports, format);
      if (opened.ok) last = opened.value;
      return opened;
    },
    /** Makes the next `open` read the key again. Does nothing if another key than `outdated` is in memory by now. */
    forget(outdated: KeyPair): void {
      if (last === outdated) last = undefined;
    },
  };
}

/**
 * Stores a decrypted key. Returns the same object each time for the same key, so that signers can cache data for the
 * object.
 */
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

/** Returns the keys that this `KeyEncryption` has decrypted. Another `KeyEncryption` must decrypt the keys itself. */
function openedBy(encryption: KeyEncryption): Map<KeyId, KeyPair> {
  const known = opened.get(encryption) ?? new Map<KeyId, KeyPair>();
  opened.set(encryption, known);
  return known;
}

/**
 * Checks that all keys in use are encrypted with this master key, and returns one of these keys. The decrypted active
 * and staged keys stay in memory for `openActiveKey`, so this process can sign with them after the master key was
 * replaced.
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
