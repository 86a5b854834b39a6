import type { KeyId, SigningKey, SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import { type Coherence, createReadThrough } from './read-through.ts';

/** The change log does not tell keys apart, so any id stands for a change of any key. */
const ANY_KEY = { kind: 'key', id: '' as KeyId } as const;

/**
 * Answers `list` from memory while the feed is fresh and no key has changed. Any client may request the key sets, so
 * requests that find nothing in memory share a read.
 */
export function createCachedSigningKeys<Keys extends Pick<SigningKeyRepository, 'list'>>(
  signingKeys: Keys,
  coherence: Coherence,
): Keys {
  let held: readonly SigningKey[] | undefined;
  coherence.feed.subscribe(({ kind }) => {
    if (kind === 'key' || kind === 'everything') held = undefined;
  });
  const list = createReadThrough<[], readonly SigningKey[]>(coherence, {
    key: () => 'all',
    held: () => held,
    read: () => signingKeys.list(),
    outdatedBy: () => [ANY_KEY],
    keep(found) {
      held = found;
      return found;
    },
  });
  return { ...signingKeys, list: async () => (await list()) ?? [] };
}
