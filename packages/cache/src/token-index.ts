import type { TokenId } from '@gatehouse/domain/tokens';

/**
 * The ids of tokens by group. A group is something that many tokens share, such as their user. To save memory, the
 * value of a group with one token is the id itself, and that of a small group is a list. A set for each user and
 * account would add a seventh to the memory of a token.
 */
export type Index<Group> = Map<Group, TokenId | readonly TokenId[] | Tokens>;

/**
 * The largest number of tokens in a list; a larger group has a set. Lists are kept short, because each change copies
 * the list.
 */
const MAX_LISTED_TOKENS = 8;

interface Tokens {
  readonly ids: Set<TokenId>;
  /**
   * The token that was added last. It may have been removed from the group since then. It is stored separately, because
   * finding any member of a set is slow if its first members were removed.
   */
  latest: TokenId;
}

/** Adds a token to a group. If the group has the token already, the group gets no second entry. */
export function addTo<Group>(index: Index<Group>, group: Group, id: TokenId): void {
  const tokens = index.get(group);
  if (tokens === undefined || tokens === id) index.set(group, id);
  else if (typeof tokens === 'string') index.set(group, [tokens, id]);
  else if (!isList(tokens)) {
    tokens.ids.add(id);
    tokens.latest = id;
  } else if (tokens.length === MAX_LISTED_TOKENS) {
    index.set(group, { ids: new Set([...tokens, id]), latest: id });
  } else index.set(group, [...without(tokens, id), id]);
}

/** Removes a token from a group. Removes the group itself if it has no more tokens. */
export function removeFrom<Group>(index: Index<Group>, group: Group, id: TokenId): void {
  const tokens = index.get(group);
  if (tokens === undefined) return;
  if (typeof tokens === 'string') {
    if (tokens === id) index.delete(group);
  } else if (isList(tokens)) {
    const left = without(tokens, id);
    if (left.length > 0) index.set(group, left);
    else index.delete(group);
  } else if (tokens.ids.delete(id) && tokens.ids.size === 0) index.delete(group);
}

/** Returns the ids of the tokens in a group. */
export function idsOf<Group>(index: Index<Group>, group: Group): readonly TokenId[] {
  const tokens = index.get(group);
  if (tokens === undefined) return [];
  if (typeof tokens === 'string') return [tokens];
  return isList(tokens) ? tokens : [...tokens.ids];
}

/**
 * Returns the token that was added to the group last; undefined if the group has no tokens. The token may have been
 * removed from the group since then.
 */
export function latestOf<Group>(index: Index<Group>, group: Group): TokenId | undefined {
  const tokens = index.get(group);
  if (tokens === undefined || typeof tokens === 'string') return tokens;
  return isList(tokens) ? tokens.at(-1) : tokens.latest;
}

function isList(tokens: readonly TokenId[] | Tokens): tokens is readonly TokenId[] {
  return Array.isArray(tokens);
}

function without(tokens: readonly TokenId[], id: TokenId): readonly TokenId[] {
  return tokens.filter((one) => one !== id);
}
