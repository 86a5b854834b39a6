import { err, ok, type Result } from '../result.ts';
import type { TokenFormat } from '../tokens/token-format.ts';
import type { KeyPair } from '../tokens/token-signer.ts';
import type { KeyEncryption, MasterKeyRejected } from './key-encryption.ts';
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

/** The key that signs new tokens of this format now, opened. */
export async function openActiveKey(
  { signingKeys, encryption }: ActiveKeyPorts,
  format: TokenFormat,
): Promise<Result<KeyPair, NoActiveKey | MasterKeyRejected>> {
  const key = await signingKeys.findActive(format);
  if (!key) return err({ code: 'no_active_key', format });
  const secret = await encryption.open(key.sealedSecret, key.id);
  return secret.ok ? ok({ id: key.id, publicKey: key.publicKey, secretKey: secret.value }) : secret;
}
