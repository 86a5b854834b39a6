import type { Change, ChangeFeed } from '@gatehouse/domain/changes';
import type { TokenId, TokenRecord, TokenRepository } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { type CacheReadCounts, noReads } from './cache-reads.ts';
import type { Limit } from './limits.ts';
import { type Coherence, createReadThrough } from './read-through.ts';
import { createTokenRecordStore } from './token-record-store.ts';

interface CachedTokenRecordsOptions extends Coherence {
  readonly feed: ChangeFeed;
  readonly limit: Limit;
  /** The counters for its reads. */
  readonly reads?: CacheReadCounts;
}

/** `findRecord` from memory, for as long as the feed is fresh and nothing in the record changed. */
export function createCachedTokenRecords<Tokens extends Pick<TokenRepository, 'findRecord'>>(
  tokens: Tokens,
  { feed, limit, reads = noReads(), ...coherence }: CachedTokenRecordsOptions,
): Tokens {
  if (limit.entries === 0) return tokens;
  const { isFresh } = coherence;
  const store = createTokenRecordStore(limit);
  const readThrough = createReadThrough<TokenId, TokenRecord>(coherence);
  feed.subscribe((change) => store.drop(change));

  const read = (id: TokenId, subject?: UserId) =>
    readThrough(id, {
      read: () => tokens.findRecord(id, subject),
      outdatedBy: (record) => changesOf(id, record),
      keep: (record) => store.keep(id, record),
    });

  return {
    ...tokens,
    findRecord(id, subject) {
      if (!isFresh()) {
        reads.bypassed += 1;
        return tokens.findRecord(id, subject);
      }
      const record = store.get(id);
      if (record === undefined) {
        reads.miss += 1;
        return read(id, subject);
      }
      reads.hit += 1;
      return Promise.resolve(record);
    },
  };
}

function changesOf(id: TokenId, record: TokenRecord | undefined): readonly Change[] {
  const token: Change = { kind: 'token', id };
  if (!record) return [token];
  return [
    token,
    { kind: 'user', id: record.user.id },
    { kind: 'account', id: record.account.id },
    { kind: 'key', id: record.keyId },
  ];
}
