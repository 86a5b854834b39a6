import type { SuggestionQuery, SuggestionSource } from '../../src/suggestions/index.ts';
import type { Token } from '../../src/tokens/index.ts';
import { emailKey, type User } from '../../src/users/index.ts';
import type { State } from './state.ts';

export function createInMemorySuggestionSource({ tokens, users }: State): SuggestionSource {
  return {
    async tokenNames(query) {
      const named = [...tokens.values()].filter(({ kind, revocation }) => kind === 'api' && !revocation);
      const found = beginning(named, query, ({ name }) => name, Number.POSITIVE_INFINITY);
      return [...new Set(found.map(({ name }) => name))].slice(0, query.limit);
    },
    async tokens(query) {
      return beginning([...tokens.values()], query, ({ id }) => id).map(({ id, name }) => ({ id, name }));
    },
    async users(query) {
      const prefix = emailKey(query.prefix);
      const found = beginning([...users.values()], { ...query, prefix }, ({ email }) => emailKey(email));
      return found.map(({ email, name }) => ({ email, name }));
    },
  };
}

function beginning<T extends Token | User>(
  things: readonly T[],
  { prefix, accountId, limit: asked }: SuggestionQuery,
  textOf: (thing: T) => string,
  limit = asked,
): readonly T[] {
  return things
    .filter((thing) => textOf(thing).startsWith(prefix))
    .filter((thing) => accountId === undefined || thing.accountId === accountId)
    .sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1))
    .slice(0, limit);
}
