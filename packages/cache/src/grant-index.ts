import type { TokenId } from '@gatehouse/domain';

/** Tokens by something that many of them have in common. No group is empty. */
export type Index<Group> = Map<Group, Set<TokenId>>;

export function addTo<Group>(index: Index<Group>, group: Group, id: TokenId): void {
  const ids = index.get(group);
  if (ids) ids.add(id);
  else index.set(group, new Set([id]));
}

export function removeFrom<Group>(index: Index<Group>, group: Group, id: TokenId): void {
  const ids = index.get(group);
  if (ids?.delete(id) && ids.size === 0) index.delete(group);
}
