import type { AccountId } from '@gatehouse/domain/accounts';
import type { Change } from '@gatehouse/domain/changes';
import type { KeyId } from '@gatehouse/domain/signing-keys';
import type { TokenId, TokenRecord } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { LRUCache } from 'lru-cache';
import { boundedBy, type Limit } from './limits.ts';
import { withPartsOf } from './shared-parts.ts';
import { addTo, type Index, idsOf, latestOf, removeFrom } from './token-index.ts';

/** Token records by token; the least recently used are dropped. */
export function createTokenRecordStore(limit: Limit) {
  // Which cached tokens depend on what, so that a change drops only those.
  const byUser: Index<UserId> = new Map();
  const byAccount: Index<AccountId> = new Map();
  const byKey: Index<KeyId> = new Map();
  const held = new LRUCache<TokenId, TokenRecord>({
    ...boundedBy(limit, recordBytes),
    onInsert(record, id) {
      addTo(byUser, record.user.id, id);
      addTo(byAccount, record.account.id, id);
      addTo(byKey, record.keyId, id);
    },
    dispose(record, id) {
      removeFrom(byUser, record.user.id, id);
      removeFrom(byAccount, record.account.id, id);
      removeFrom(byKey, record.keyId, id);
    },
  });

  const dropAll = (ids: readonly TokenId[]) => {
    for (const id of ids) held.delete(id);
  };

  const peek = (id: TokenId | undefined) => (id === undefined ? undefined : held.peek(id));

  return {
    get: (id: TokenId) => held.get(id),
    /** Caches a record and returns it: an equal one, made of the parts of others if these are equal. */
    keep(id: TokenId, record: TokenRecord): TokenRecord {
      const shared = withPartsOf(id, record, {
        user: peek(latestOf(byUser, record.user.id))?.user,
        account: peek(latestOf(byAccount, record.account.id))?.account,
        keyId: peek(latestOf(byKey, record.keyId))?.keyId,
      });
      held.set(id, shared);
      return shared;
    },
    /** Drops everything that the change makes outdated. */
    drop(change: Change) {
      switch (change.kind) {
        case 'token':
          held.delete(change.id);
          return;
        case 'user':
          return dropAll(idsOf(byUser, change.id));
        case 'account':
          return dropAll(idsOf(byAccount, change.id));
        case 'key':
          return dropAll(idsOf(byKey, change.id));
        case 'everything':
          held.clear();
          return;
        default:
          change.kind satisfies 'organization' | 'membership' | 'row' | 'rows';
      }
    },
  };
}

/** The entry's objects and its place in the store and the indexes; measured, see memory.test.ts. */
const FIXED_BYTES = 450;

export function recordBytes({ name, scopes, user, account }: TokenRecord): number {
  const characters = name.length + user.name.length + user.email.length + account.name.length;
  return FIXED_BYTES + 40 * scopes.length + 2 * characters;
}
