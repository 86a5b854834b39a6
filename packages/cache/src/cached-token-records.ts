import type { Change } from '@gatehouse/domain/changes';
import type { TokenId, TokenRecord, TokenRepository } from '@gatehouse/domain/tokens';
import type { Limit } from './limits.ts';
import { type Coherence, createReadThrough } from './read-through.ts';
import { createTokenRecordStore } from './token-record-store.ts';

/** Answers `findRecord` from memory while the feed is fresh and nothing in the record has changed. */
export function createCachedTokenRecords<Tokens extends Pick<TokenRepository, 'findRecord'>>(
  tokens: Tokens,
  options: Coherence & { readonly limit: Limit },
): Tokens {
  if (options.limit.entries === 0) return tokens;
  const store = createTokenRecordStore(options.limit);
  options.feed.subscribe((change) => store.drop(change));
  const findRecord = createReadThrough<[TokenId], TokenRecord>(options, {
    key: (id) => id,
    held: store.get,
    read: (id) => tokens.findRecord(id),
    outdatedBy: (record, id) => changesOf(id, record),
    keep: (record, id) => store.keep(id, record),
  });
  return { ...tokens, findRecord };
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
