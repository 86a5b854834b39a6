import type { Change, ChangeFeed } from '@gatehouse/domain/changes';
import type { Grant, TokenId, TokenRepository } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { type CacheReadCounts, noReads } from './cache-reads.ts';
import { createGrantStore } from './grant-store.ts';
import type { Limit } from './limits.ts';
import { type Coherence, createReadThrough } from './read-through.ts';

export interface CachedGrantsOptions extends Coherence {
  readonly feed: ChangeFeed;
  readonly limit: Limit;
  /** Counted in while it is asked. */
  readonly reads?: CacheReadCounts;
}

/** `findGrant` out of memory, for as long as the lease holds and nothing in the grant changed. */
export function createCachedGrants<Tokens extends Pick<TokenRepository, 'findGrant'>>(
  tokens: Tokens,
  { feed, limit, reads = noReads(), ...coherence }: CachedGrantsOptions,
): Tokens {
  if (limit.entries === 0) return tokens;
  const { lease } = coherence;
  const store = createGrantStore(limit, { byUser: new Map(), byAccount: new Map(), byKey: new Map() });
  const readThrough = createReadThrough<TokenId, Grant>(coherence);
  feed.subscribe((change) => store.drop(change));

  const read = (id: TokenId, subject?: UserId) =>
    readThrough(id, {
      read: () => tokens.findGrant(id, subject),
      outdatedBy: (grant) => changesOf(id, grant),
      keep: (grant) => store.keep(id, grant),
    });

  return {
    ...tokens,
    findGrant(id, subject) {
      if (!lease()) {
        reads.bypassed += 1;
        return tokens.findGrant(id, subject);
      }
      const grant = store.get(id);
      if (grant === undefined) {
        reads.miss += 1;
        return read(id, subject);
      }
      reads.hit += 1;
      return Promise.resolve(grant);
    },
  };
}

function changesOf(id: TokenId, grant: Grant | undefined): readonly Change[] {
  const token: Change = { kind: 'token', id };
  if (!grant) return [token];
  return [
    token,
    { kind: 'user', id: grant.user.id },
    { kind: 'account', id: grant.account.id },
    { kind: 'key', id: grant.key.id },
  ];
}
