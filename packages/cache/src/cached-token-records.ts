import type { Scope } from '@gatehouse/domain/access';
import type { Change } from '@gatehouse/domain/changes';
import { KEY_STATES } from '@gatehouse/domain/signing-keys';
import {
  TOKEN_FORMATS,
  TOKEN_KINDS,
  type TokenId,
  type TokenRecord,
  type TokenRepository,
} from '@gatehouse/domain/tokens';
import { ROLES, USER_KINDS } from '@gatehouse/domain/users';
import { LRUCache } from 'lru-cache';
import { boundedBy, type Limit } from './limits.ts';
import { type Coherence, createReadThrough } from './read-through.ts';
import { addTo, type Index, idsOf, latestOf, removeFrom } from './token-index.ts';

/**
 * Answers `findRecord` from memory while the change feed reports every change and nothing in the record has changed.
 */
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

/**
 * Parts of the cached records of other tokens. If a part of a new record is equal to one of them, the records share it.
 */
type OtherParts = { readonly [Part in 'user' | 'account' | 'keyId']: TokenRecord[Part] | undefined };

/**
 * Returns a copy of the record. If a part of it equals a part of a cached record, the copy has the cached object or
 * string. Without this sharing, each record would keep its own copies from the database, and a token would take 50 %
 * more memory.
 */
function withPartsOf(id: TokenId, record: TokenRecord, other: OtherParts): TokenRecord {
  const { kind, format, keyId, keyState, scopes, user, account } = record;
  return Object.freeze({
    ...record,
    // The string that the caller passed is kept instead of the equal string from the database, because the cached
    // claims of the token have the caller's string and share it.
    id,
    kind: wordOf(TOKEN_KINDS, kind),
    format: wordOf(TOKEN_FORMATS, format),
    keyState: wordOf(KEY_STATES, keyState),
    keyId: other.keyId === keyId ? other.keyId : keyId,
    scopes: scopesOf(scopes),
    user: equalOf(
      other.user,
      Object.freeze({ ...user, kind: wordOf(USER_KINDS, user.kind), role: wordOf(ROLES, user.role) }),
    ),
    account: equalOf(other.account, account),
  });
}

/** Returns `other` if all its properties equal those of `own`, otherwise `own`. */
function equalOf<Part extends object>(other: Part | undefined, own: Part): Part {
  if (other === undefined) return own;
  const members = Object.keys(own) as (keyof Part)[];
  return members.every((member) => other[member] === own[member]) ? other : own;
}

/** Returns the string of the list that equals the word, so that all records share one string. */
function wordOf<Word extends string>(known: readonly Word[], word: Word): Word {
  return known.find((one) => one === word) ?? word;
}

/**
 * A list for each combination of scopes. All records with these scopes share the list. The key is the scopes as one
 * text.
 */
const scopeLists = new Map<string, readonly Scope[]>();

function scopesOf(scopes: readonly Scope[]): readonly Scope[] {
  const text = scopes.join(' ');
  const known = scopeLists.get(text);
  if (known) return known;
  const list = Object.freeze([...scopes]);
  scopeLists.set(text, list);
  return list;
}

/**
 * The parts of a record that several tokens can share. A change of such a part makes the records of all tokens that
 * share it outdated.
 */
type SharedPart = 'user' | 'account' | 'key';

/** Creates the cache of token records by token id. At its limits, it drops the least recently used records. */
export function createTokenRecordStore(limit: Limit) {
  /**
   * The cached tokens by user, by account and by key. If, for example, a user changes, only that user's tokens are
   * dropped.
   */
  const indexes: Readonly<Record<SharedPart, Index<number | string>>> = {
    user: new Map(),
    account: new Map(),
    key: new Map(),
  };
  function index(change: typeof addTo, { user, account, keyId }: TokenRecord, id: TokenId): void {
    change(indexes.user, user.id, id);
    change(indexes.account, account.id, id);
    change(indexes.key, keyId, id);
  }
  const held = new LRUCache<TokenId, TokenRecord>({
    ...boundedBy(limit, recordBytes),
    onInsert: (record, id) => index(addTo, record, id),
    dispose: (record, id) => index(removeFrom, record, id),
  });

  /**
   * Returns the record that was cached last among those with this user, account or key; undefined if it is no longer
   * cached.
   */
  function latest(part: SharedPart, value: number | string): TokenRecord | undefined {
    const id = latestOf(indexes[part], value);
    return id === undefined ? undefined : held.peek(id);
  }

  return {
    get: (id: TokenId) => held.get(id),
    /**
     * Caches a record. Returns the cached record, which is equal to the given one but shares equal parts with other
     * records.
     */
    keep(id: TokenId, record: TokenRecord): TokenRecord {
      const shared = withPartsOf(id, record, {
        user: latest('user', record.user.id)?.user,
        account: latest('account', record.account.id)?.account,
        keyId: latest('key', record.keyId)?.keyId,
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
        case 'account':
        case 'key':
          for (const id of idsOf(indexes[change.kind], change.id)) held.delete(id);
          return;
        case 'everything':
          held.clear();
          return;
        default:
          change.kind satisfies
            | 'organization'
            | 'organizations'
            | 'membership'
            | 'memberships'
            | 'service'
            | 'row'
            | 'rows';
      }
    },
  };
}

/** The memory that each entry takes without its texts, in bytes, as measured by memory.test.ts. */
const FIXED_BYTES = 450;

/** The memory that each network of a token takes, in bytes. */
const NETWORK_BYTES = 300;

export function recordBytes({ name, scopes, networks, user, account }: TokenRecord): number {
  const characters = name.length + user.name.length + user.email.length + account.name.length;
  const ofNetworks = networks === null ? 0 : NETWORK_BYTES * networks.list.length;
  return FIXED_BYTES + 40 * scopes.length + 2 * characters + ofNetworks;
}
