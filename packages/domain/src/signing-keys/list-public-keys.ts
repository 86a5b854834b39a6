import type { VerificationKey } from './signing-key.ts';
import type { SigningKeyRepository } from './signing-key-repository.ts';

/** Lists the public keys of all keys whose tokens are accepted, for clients that verify signatures themselves. */
export type ListPublicKeys = () => Promise<readonly VerificationKey[]>;

export function listPublicKeys({
  signingKeys,
}: {
  readonly signingKeys: Pick<SigningKeyRepository, 'list'>;
}): ListPublicKeys {
  return async () => {
    const keys = await signingKeys.list();
    return keys
      .filter(({ state }) => state !== 'retired')
      .map(({ id, format, publicKey }) => ({ id, format, publicKey }));
  };
}
