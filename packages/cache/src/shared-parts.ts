import type { Scope } from '@gatehouse/domain/access';
import { KEY_STATES } from '@gatehouse/domain/signing-keys';
import { TOKEN_FORMATS, TOKEN_KINDS, type TokenId, type TokenRecord } from '@gatehouse/domain/tokens';
import { ROLES } from '@gatehouse/domain/users';

/** Parts of other tokens' records that may be equal to those of this one. */
type OtherParts = { readonly [Part in 'user' | 'account' | 'keyId']: TokenRecord[Part] | undefined };

/**
 * Returns an equal record with as few objects and strings of its own as possible. Every value from a database is a
 * copy: without this a token takes half as much memory again.
 */
export function withPartsOf(id: TokenId, record: TokenRecord, other: OtherParts): TokenRecord {
  const { kind, format, keyId, keyState, scopes, user, account } = record;
  return Object.freeze({
    ...record,
    // The caller's string, which the claims share.
    id,
    kind: wordOf(TOKEN_KINDS, kind),
    format: wordOf(TOKEN_FORMATS, format),
    keyState: wordOf(KEY_STATES, keyState),
    keyId: other.keyId === keyId ? other.keyId : keyId,
    scopes: scopesOf(scopes),
    user: equalOf(other.user, Object.freeze({ ...user, role: wordOf(ROLES, user.role) })),
    account: equalOf(other.account, account),
  });
}

/** Returns the other value if it is equal, member by member. */
function equalOf<Part extends object>(other: Part | undefined, own: Part): Part {
  if (other === undefined) return own;
  const members = Object.keys(own) as (keyof Part)[];
  return members.every((member) => other[member] === own[member]) ? other : own;
}

/** Returns the same word as it is in the list. */
function wordOf<Word extends string>(known: readonly Word[], word: Word): Word {
  return known.find((one) => one === word) ?? word;
}

/** One list for each combination of scopes. */
const scopeLists = new Map<string, readonly Scope[]>();

function scopesOf(scopes: readonly Scope[]): readonly Scope[] {
  const text = scopes.join(' ');
  const known = scopeLists.get(text);
  if (known) return known;
  const list = Object.freeze([...scopes]);
  scopeLists.set(text, list);
  return list;
}
