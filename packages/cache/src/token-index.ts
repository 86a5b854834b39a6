import type { TokenId } from '@gatehouse/domain/tokens';

/**
 * Tokens grouped by something that many of them share, such as their user. To save memory, a group of one token is the token
 * itself, and a small group is a list. A set for each user and account would take a seventh of the memory of a token.
 */
export type Index<Group> = Map<Group, TokenId | readonly TokenId[] | Tokens>;

/** The largest number of tokens in a list. Lists are short, because each change copies the list. */
const MAX_LISTED_TOKENS = 8;

interface Tokens {
  readonly ids: Set<TokenId>;
  /**
   * The token that was added last; it may have been removed since. It is kept here because finding any member of a set is
   * slow once its first members were removed.
   */
  latest: TokenId;
}

/** Adds a token to a group; adding it again changes nothing. */
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

/** Removes a token from a group, and the group with its last token. */
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

/** The current tokens of a group. */
export function idsOf<Group>(index: Index<Group>, group: Group): readonly TokenId[] {
  const tokens = index.get(group);
  if (tokens === undefined) return [];
  if (typeof tokens === 'string') return [tokens];
  return isList(tokens) ? tokens : [...tokens.ids];
}

/** Returns the token added to the group last, which may have been removed since. */
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
