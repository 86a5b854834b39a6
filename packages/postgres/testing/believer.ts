import type { TokenId } from '@gatehouse/domain/tokens';
import type { TestFeed } from './open-feed.ts';

/** Treats tokens as valid until the feed says otherwise, like a cache, and detects when that was wrong. */
export function createBeliever({ feed }: Pick<TestFeed, 'feed'>) {
  const believed = new Set<TokenId>();
  const revoked = new Map<TokenId, number>();
  feed.subscribe((change) => {
    if (change.kind === 'token') believed.delete(change.id);
    if (change.kind === 'everything') believed.clear();
  });
  return {
    /** Reads its state, which counts only while the feed is trusted. */
    believe(id: TokenId) {
      if (feed.heardUpTo()) believed.add(id);
    },
    /** Called when its revocation is acknowledged. */
    isRevoked(id: TokenId) {
      revoked.set(id, performance.now());
    },
    /**
     * Returns the tokens that are still treated as valid although the feed claims to have received everything since
     * their revocation.
     */
    mistakes(): readonly TokenId[] {
      const heard = feed.heardUpTo()?.elapsedMs ?? Number.NEGATIVE_INFINITY;
      return [...believed].filter((id) => (revoked.get(id) ?? Number.POSITIVE_INFINITY) <= heard);
    },
  };
}
