import type { TokenId } from '@gatehouse/domain';

/**
 * Tokens by something that many of them have in common. No group is empty, and one of one token is that token
 * itself: a set for each user with a single token would be a seventh of all that a token takes.
 */
export type Index<Group> = Map<Group, TokenId | Set<TokenId>>;

export function addTo<Group>(index: Index<Group>, group: Group, id: TokenId): void {
  const ids = index.get(group);
  if (ids instanceof Set) ids.add(id);
  else index.set(group, ids === undefined || ids === id ? id : new Set([ids, id]));
}

export function removeFrom<Group>(index: Index<Group>, group: Group, id: TokenId): void {
  const ids = index.get(group);
  if (ids === id) index.delete(group);
  else if (ids instanceof Set && ids.delete(id) && ids.size === 0) index.delete(group);
}

/** The tokens of a group, as they are now. */
export function idsOf<Group>(index: Index<Group>, group: Group): readonly TokenId[] {
  const ids = index.get(group);
  if (ids === undefined) return [];
  return ids instanceof Set ? [...ids] : [ids];
}

/** One of the tokens of a group. */
export function anyOf<Group>(index: Index<Group>, group: Group): TokenId | undefined {
  const ids = index.get(group);
  return ids instanceof Set ? ids.values().next().value : ids;
}
