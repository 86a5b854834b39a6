import type { Change } from '@gatehouse/domain/changes';
import type { TokenId, TokenRecord, TokenRepository } from '@gatehouse/domain/tokens';
import type { Limit } from './limits.ts';
import { type Coherence, createReadThrough } from './read-through.ts';
import { createTokenRecordStore } from './token-record-store.ts';

/** `findRecord` from memory, for as long as the feed is fresh and nothing in the record changed. */
export function createCachedTokenRecords<Tokens extends Pick<TokenRepository, 'findRecord'>>(
  tokens: Tokens,
  options: Coherence & { readonly limit: Limit },
): Tokens {
  if (options.limit.entries === 0) return tokens;
  const store = createTokenRecordStore(options.limit);
  const readThrough = createReadThrough<TokenId, TokenRecord>(options);
  options.feed.subscribe((change) => store.drop(change));

  return {
    ...tokens,
    findRecord: (id, subject) =>
      readThrough(id, {
        held: () => store.get(id),
        read: () => tokens.findRecord(id, subject),
        outdatedBy: (record) => changesOf(id, record),
        keep: (record) => store.keep(id, record),
      }),
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
