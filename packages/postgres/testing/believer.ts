import type { TokenId } from '@gatehouse/domain/tokens';
import type { TestFeed } from './open-feed.ts';

/** Remembers tokens as good until it is told otherwise, as a cache does, and finds out when that was wrong. */
export function createBeliever({ feed }: Pick<TestFeed, 'feed'>) {
  const believed = new Set<TokenId>();
  const revoked = new Map<TokenId, number>();
  feed.subscribe((change) => {
    if (change.kind === 'token') believed.delete(change.id);
    if (change.kind === 'everything') believed.clear();
  });
  return {
    /** As it was read, which counts only while the feed is trusted. */
    believe(id: TokenId) {
      if (feed.heardUpTo()) believed.add(id);
    },
    /** Its revocation was acknowledged just now. */
    isRevoked(id: TokenId) {
      revoked.set(id, performance.now());
    },
    /** Those that are believed although the feed claims to have heard of everything since they were revoked. */
    mistakes(): readonly TokenId[] {
      const heard = feed.heardUpTo()?.elapsedMs ?? Number.NEGATIVE_INFINITY;
      return [...believed].filter((id) => (revoked.get(id) ?? Number.POSITIVE_INFINITY) <= heard);
    },
  };
}
