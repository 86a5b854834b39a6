import type { SigningKey, SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import { noReads } from './cache-reads.ts';
import type { Coherence } from './read-through.ts';

/** How often a read that would be cached is repeated because keys changed. */
const MAX_ROUNDS = 10;

/**
 * `list` from memory, for as long as the feed is fresh and no key changed. Anyone may ask for the key sets, so each
 * request that finds nothing held asks the repository, which bounds the reads that come of it.
 */
export function createCachedSigningKeys<Keys extends Pick<SigningKeyRepository, 'list'>>(
  signingKeys: Keys,
  { feed, isFresh, reads = noReads() }: Omit<Coherence, 'changes'>,
): Keys {
  let held: readonly SigningKey[] | undefined;
  let changes = 0;
  feed.subscribe(({ kind }) => {
    if (kind !== 'key' && kind !== 'everything') return;
    changes += 1;
    held = undefined;
  });

  async function read(): Promise<readonly SigningKey[]> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const changesBefore = changes;
      const found = await signingKeys.list();
      // It was read after the request came, so if the feed is not fresh it may be used, but not kept.
      if (!isFresh()) return found;
      if (changes !== changesBefore) continue;
      held = found;
      return found;
    }
    // Begins after its request arrived, so it sees every change that the request must see.
    return signingKeys.list();
  }

  return {
    ...signingKeys,
    list() {
      if (!isFresh()) {
        reads.bypassed += 1;
        return signingKeys.list();
      }
      if (held === undefined) {
        reads.miss += 1;
        return read();
      }
      reads.hit += 1;
      return Promise.resolve(held);
    },
  };
}
