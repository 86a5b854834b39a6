import type { TokenId } from '@gatehouse/domain/tokens';

/**
 * Tokens grouped by something that many of them share. No group is empty, and a group of one token is that token
 * itself: a set for each user with a single token would be a seventh of a token's memory.
 */
export type Index<Group> = Map<Group, TokenId | Tokens>;

interface Tokens {
  readonly ids: Set<TokenId>;
  /**
   * The token added last, possibly removed since. A set whose first members were removed has to search for its first
   * one.
   */
  latest: TokenId;
}

/** Adds a token to a group; adding it again changes nothing. */
export function addTo<Group>(index: Index<Group>, group: Group, id: TokenId): void {
  const tokens = index.get(group);
  if (tokens === undefined || tokens === id) index.set(group, id);
  else if (typeof tokens === 'string') index.set(group, { ids: new Set([tokens, id]), latest: id });
  else {
    tokens.ids.add(id);
    tokens.latest = id;
  }
}

/** Removes a token from a group, and the group with its last token. */
export function removeFrom<Group>(index: Index<Group>, group: Group, id: TokenId): void {
  const tokens = index.get(group);
  if (tokens === undefined) return;
  if (typeof tokens === 'string') {
    if (tokens === id) index.delete(group);
  } else if (tokens.ids.delete(id) && tokens.ids.size === 0) index.delete(group);
}

/** The current tokens of a group. */
export function idsOf<Group>(index: Index<Group>, group: Group): readonly TokenId[] {
  const tokens = index.get(group);
  if (tokens === undefined) return [];
  return typeof tokens === 'string' ? [tokens] : [...tokens.ids];
}

/** Returns the token added to the group last, which may have been removed since. */
export function latestOf<Group>(index: Index<Group>, group: Group): TokenId | undefined {
  const tokens = index.get(group);
  return typeof tokens === 'object' ? tokens.latest : tokens;
}
