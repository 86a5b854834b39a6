import type { KeyId, SigningKey, SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import { type Coherence, createReadThrough } from './read-through.ts';

/** Stands for a change of any signing key. The id is empty, because the change log ignores which key has changed. */
const ANY_KEY = { kind: 'key', id: '' as KeyId } as const;

/**
 * Answers `list` from memory while the change feed reports every change and no key has changed. If the keys are not in
 * memory, concurrent requests share one read of the database, because any client may request the public keys.
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
