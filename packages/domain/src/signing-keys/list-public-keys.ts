import type { VerificationKey } from './signing-key.ts';
import type { SigningKeyRepository } from './signing-key-repository.ts';

/** The keys under which tokens are accepted now, for anyone who verifies signatures without asking. */
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
