import { SCOPES, type Scope } from '@gatehouse/domain/access';
import { type Grant, TOKEN_KINDS, type TokenId } from '@gatehouse/domain/tokens';
import { ROLES } from '@gatehouse/domain/users';

/** What other grants are made of that may be equal to the parts of this one. */
export type OtherParts = { readonly [Part in 'user' | 'account' | 'key']: Grant[Part] | undefined };

/**
 * An equal grant with as few objects and strings of its own as can be. Everything that comes out of a
 * database is a copy: without this a token takes half as much again.
 */
export function withPartsOf(
  id: TokenId,
  { token, user, account, key: ownKey }: Grant,
  other: OtherParts,
): Grant {
  const key = equalOf(other.key, ownKey);
  return Object.freeze({
    token: Object.freeze({
      // The caller's, which the claims hold as well.
      id,
      accountId: token.accountId,
      userId: token.userId,
      subject: token.subject,
      kind: wordOf(TOKEN_KINDS, token.kind),
      name: token.name,
      format: wordOf([key.format], token.format),
      keyId: wordOf([key.id], token.keyId),
      scopes: scopesOf(token.scopes),
      createdAt: token.createdAt,
      expiresAt: token.expiresAt,
      revocation: token.revocation,
      replaces: token.replaces,
      replacedAt: token.replacedAt,
    }),
    user: equalOf(other.user, Object.freeze({ ...user, role: wordOf(ROLES, user.role) })),
    account: equalOf(other.account, account),
    key,
  });
}

/** The other where it is equal, member by member. */
function equalOf<Part extends object>(other: Part | undefined, own: Part): Part {
  if (other === undefined) return own;
  const members = Object.keys(own) as (keyof Part)[];
  return members.every((member) => other[member] === own[member]) ? other : own;
}

/** The same word, as the list has it. */
function wordOf<Word extends string>(known: readonly Word[], word: Word): Word {
  return known.find((one) => one === word) ?? word;
}

/** One list for each choice of scopes: there are as few as there are scopes. */
const scopeLists = new Map<string, readonly Scope[]>();

function scopesOf(scopes: readonly Scope[]): readonly Scope[] {
  const text = scopes.join(' ');
  const known = scopeLists.get(text);
  if (known) return known;
  const list = Object.freeze(scopes.map((scope) => wordOf(SCOPES, scope)));
  scopeLists.set(text, list);
  return list;
}
