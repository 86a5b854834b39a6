import type { AccountId, Change, Grant, KeyId, TokenId, UserId } from '@gatehouse/domain';
import { LRUCache } from 'lru-cache';
import { addTo, type Index, idsOf, removeFrom } from './grant-index.ts';
import type { Limit } from './limits.ts';

/** Which of the tokens held depend on what, so that a change drops those and no others. */
export interface GrantIndexes {
  readonly byUser: Index<UserId>;
  readonly byAccount: Index<AccountId>;
  readonly byKey: Index<KeyId>;
}

/** Grants by token, the least recently used of which give way. */
export interface GrantStore {
  get(id: TokenId): Grant | undefined;
  keep(grant: Grant): void;
  /** Lets go of all that the change outdates. */
  drop(change: Change): void;
}

export function createGrantStore(limit: Limit, { byUser, byAccount, byKey }: GrantIndexes): GrantStore {
  const held = new LRUCache<TokenId, Grant>({
    max: limit.entries,
    maxSize: limit.bytes,
    sizeCalculation: grantBytes,
    onInsert(grant, id) {
      addTo(byUser, grant.user.id, id);
      addTo(byAccount, grant.account.id, id);
      addTo(byKey, grant.key.id, id);
    },
    dispose(grant, id) {
      removeFrom(byUser, grant.user.id, id);
      removeFrom(byAccount, grant.account.id, id);
      removeFrom(byKey, grant.key.id, id);
    },
  });

  const dropAll = (ids: readonly TokenId[]) => {
    for (const id of ids) held.delete(id);
  };

  return {
    get: (id) => held.get(id),
    keep(grant) {
      held.set(grant.token.id, grant);
    },
    drop(change) {
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
        case 'organization':
        case 'membership':
          return;
      }
    },
  };
}

/** Its objects, its place in the store and in the indexes; measured, see memory.test.ts. */
const FIXED_BYTES = 750;

export function grantBytes({ token, user, account }: Grant): number {
  const characters = token.name.length + user.name.length + user.email.length + account.name.length;
  return FIXED_BYTES + 40 * token.scopes.length + 2 * characters;
}
