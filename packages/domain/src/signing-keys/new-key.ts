import type { Instant } from '../time/instant.ts';
import type { TokenSigner } from '../tokens/token-signer.ts';
import type { KeyEncryption } from './key-encryption.ts';
import type { SigningKey } from './signing-key.ts';

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
