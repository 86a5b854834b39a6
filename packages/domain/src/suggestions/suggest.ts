import { authorized } from '../access/index.ts';
import * as rules from '../access/rules.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import type { SuggestionSource } from './suggestion-source.ts';

type SuggestPorts = Ports<'suggestions' | 'accounts' | 'organizations' | 'signingKeys'>;

/** The rule for each kind of suggestion: the rule for listing that kind. */
const RULE_OF = {
  token: rules.READ_TOKENS,
  user: rules.MANAGE_USERS,
  account: rules.MANAGE_ACCOUNTS,
  organization: rules.MANAGE_ORGANIZATIONS,
  key: rules.MANAGE_KEYS,
};

export type SuggestionKind = keyof typeof RULE_OF;

/** A value to complete, and a short description of it. */
interface Suggestion {
  readonly value: string;
  readonly description: string;
}

/** Maximum number of suggestions. */
const MAX_SUGGESTIONS = 50;
/** Maximum number of accounts or organizations that are searched, because they have no index by prefix. */
const MAX_SEARCHED = 1000;

const AN_ID = /^[0-9a-f][0-9a-f-]*$/;

/**
 * Completes a word that the user is typing. Suggests tokens by name, and also by id if the word can be the beginning of an id.
 */
export const suggest = authorized(
  (kind: SuggestionKind, _: string) => RULE_OF[kind],
  (ports: SuggestPorts) => async (caller, kind: SuggestionKind, prefix: string) => {
    const found = await find(ports, kind, {
      prefix,
      limit: MAX_SUGGESTIONS,
      ...(caller.kind === 'user' && { accountId: caller.accountId }),
    });
    return ok(found.filter(({ value }) => value.startsWith(prefix)).slice(0, MAX_SUGGESTIONS * 2));
  },
);

async function find(
  { suggestions, accounts, organizations, signingKeys }: SuggestPorts,
  kind: SuggestionKind,
  query: Parameters<SuggestionSource['users']>[0],
): Promise<readonly Suggestion[]> {
  switch (kind) {
    case 'token': {
      const [names, ids] = await Promise.all([
        suggestions.tokenNames(query),
        AN_ID.test(query.prefix) ? suggestions.tokens(query) : [],
      ]);
      return [
        ...names.map((value) => ({ value, description: 'token' })),
        ...ids.map(({ id, name }) => ({ value: id, description: name })),
      ];
    }
    case 'user':
      return (await suggestions.users(query)).map(({ email, name }) => ({ value: email, description: name }));
    case 'account':
      return (await accounts.list({ limit: MAX_SEARCHED })).map(numbered);
    case 'organization':
      return (await organizations.list({ limit: MAX_SEARCHED })).map(numbered);
    case 'key':
      return (await signingKeys.list()).map(({ id, format, state }) => ({
        value: id,
        description: `${format}, ${state}`,
      }));
  }
}

function numbered({ id, name }: { readonly id: number; readonly name: string }): Suggestion {
  return { value: String(id), description: name };
}
