import { err, ok, type Result } from '../result.ts';
import type { TokenFormat } from '../tokens/token-format.ts';
import type { KeyPair } from '../tokens/token-signer.ts';
import type { KeyEncryption, MasterKeyRejected } from './key-encryption.ts';
import type { KeyId, SigningKey } from './signing-key.ts';
import type { SigningKeyRepository } from './signing-key-repository.ts';

/** Nothing can be signed in this format until a key is created and activated. */
export interface NoActiveKey {
  readonly code: 'no_active_key';
  readonly format: TokenFormat;
}

export interface ActiveKeyPorts {
  readonly signingKeys: SigningKeyRepository;
  readonly encryption: KeyEncryption;
}

/**
 * The key that signs new tokens of this format now. Which one it is, is read each time; it is opened once,
 * because the key behind an id never changes: a process goes on signing when the master key is replaced.
 */
export async function openActiveKey(
  { signingKeys, encryption }: ActiveKeyPorts,
  format: TokenFormat,
): Promise<Result<KeyPair, NoActiveKey | MasterKeyRejected>> {
  const key = await signingKeys.findActive(format);
  if (!key) return err({ code: 'no_active_key', format });
  const known = openedBy(encryption).get(key.id);
  if (known) return ok(known);
  const secret = await encryption.open(key.sealedSecret, key.id);
  return secret.ok ? ok(rememberOpened(encryption, key, secret.value)) : secret;
}

/** One object for each key, by which signers know what they have imported. */
export function rememberOpened(
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

/** What one encryption opened is never there for another. */
function openedBy(encryption: KeyEncryption): Map<KeyId, KeyPair> {
  const known = opened.get(encryption) ?? new Map<KeyId, KeyPair>();
  opened.set(encryption, known);
  return known;
}
