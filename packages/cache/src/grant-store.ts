import type { AccountId } from '@gatehouse/domain/accounts';
import type { Change } from '@gatehouse/domain/changes';
import type { KeyId } from '@gatehouse/domain/signing-keys';
import type { Grant, TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { LRUCache } from 'lru-cache';
import { addTo, type Index, idsOf, latestOf, removeFrom } from './grant-index.ts';
import { withPartsOf } from './grant-parts.ts';
import { boundedBy, type Limit } from './limits.ts';

/** Which of the tokens held depend on what, so that a change drops those and no others. */
export interface GrantIndexes {
  readonly byUser: Index<UserId>;
  readonly byAccount: Index<AccountId>;
  readonly byKey: Index<KeyId>;
}

/** Grants by token, the least recently used of which give way. */
export interface GrantStore {
  get(id: TokenId): Grant | undefined;
  /** Answers the grant as it is held: an equal, made of the parts of others where these are equal. */
  keep(id: TokenId, grant: Grant): Grant;
  /** Lets go of all that the change outdates. */
  drop(change: Change): void;
}

export function createGrantStore(limit: Limit, { byUser, byAccount, byKey }: GrantIndexes): GrantStore {
  const held = new LRUCache<TokenId, Grant>({
    ...boundedBy(limit, grantBytes),
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

  const peek = (id: TokenId | undefined) => (id === undefined ? undefined : held.peek(id));

  return {
    get: (id) => held.get(id),
    keep(id, grant) {
      const shared = withPartsOf(id, grant, {
        user: peek(latestOf(byUser, grant.user.id))?.user,
        account: peek(latestOf(byAccount, grant.account.id))?.account,
        key: peek(latestOf(byKey, grant.key.id))?.key,
      });
      held.set(id, shared);
      return shared;
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
const FIXED_BYTES = 450;

export function grantBytes({ token, user, account }: Grant): number {
  const characters = token.name.length + user.name.length + user.email.length + account.name.length;
  return FIXED_BYTES + 40 * token.scopes.length + 2 * characters;
}
