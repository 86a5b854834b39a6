import type { SigningKey, SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import { type Coherence, noReads } from './read-through.ts';

/** The number of times that a read is repeated because keys changed meanwhile. */
const MAX_ROUNDS = 10;

/**
 * Answers `list` from memory while the feed is fresh and no key has changed. Any client may request the key sets, so a
 * request that finds nothing in memory asks the repository, which bounds the number of its reads.
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
      // The read began after the request arrived. If the feed is not fresh, the result may be used, but not kept.
      if (!isFresh()) return found;
      if (changes !== changesBefore) continue;
      held = found;
      return found;
    }
    // This read begins after its request arrived, so it sees every change that the request must see.
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
