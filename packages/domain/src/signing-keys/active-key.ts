import { err, ok, type Result } from '../result.ts';
import type { TokenFormat } from '../tokens/token-format.ts';
import type { KeyPair } from '../tokens/token-signer.ts';
import type { KeyEncryption, MasterKeyRejected } from './key-encryption.ts';
import type { SealedSecret } from './signing-key.ts';
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

/** The key that signs new tokens of this format now. It is read each time, and opened anew whenever that is not what was opened last. */
export async function openActiveKey(
  { signingKeys, encryption }: ActiveKeyPorts,
  format: TokenFormat,
): Promise<Result<KeyPair, NoActiveKey | MasterKeyRejected>> {
  const key = await signingKeys.findActive(format);
  if (!key) return err({ code: 'no_active_key', format });
  const last = lastOpened(encryption).get(format);
  if (last && last.keyPair.id === key.id && last.sealedSecret === key.sealedSecret) return ok(last.keyPair);

  const secret = await encryption.open(key.sealedSecret, key.id);
  if (!secret.ok) return secret;
  const keyPair = Object.freeze({ id: key.id, publicKey: key.publicKey, secretKey: secret.value });
  lastOpened(encryption).set(format, { sealedSecret: key.sealedSecret, keyPair });
  return ok(keyPair);
}

interface OpenedKey {
  readonly sealedSecret: SealedSecret;
  /** One object, by which signers know the key that they have imported. */
  readonly keyPair: KeyPair;
}

const opened = new WeakMap<KeyEncryption, Map<TokenFormat, OpenedKey>>();

/** Of each format. What one master key opened is never there for another. */
function lastOpened(encryption: KeyEncryption): Map<TokenFormat, OpenedKey> {
  const known = opened.get(encryption) ?? new Map<TokenFormat, OpenedKey>();
  opened.set(encryption, known);
  return known;
}
