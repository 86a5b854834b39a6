import { authorized, type Rule } from '../access/index.ts';
import { listAccounts } from '../accounts/manage-accounts.ts';
import { listOrganizations } from '../organizations/manage-organizations.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import { listServices } from '../services/manage-services.ts';
import { livingScopes } from '../services/service.ts';
import { listKeys } from '../signing-keys/manage-keys.ts';
import { listTokens } from '../tokens/administration/list-tokens.ts';
import { listUsers } from '../users/manage-users.ts';
import type { SuggestionSource } from './suggestion-source.ts';

type SuggestPorts = Ports<'suggestions' | 'accounts' | 'organizations' | 'signingKeys' | 'services'>;

/**
 * The kinds of suggestions, each with the use case that lists it. A caller gets suggestions of a kind only if the rule
 * of that use case allows the caller.
 */
const LISTS = {
  token: listTokens,
  user: listUsers,
  account: listAccounts,
  organization: listOrganizations,
  key: listKeys,
  service: listServices,
  scope: listServices,
  credential: listServices,
};

export type SuggestionKind = keyof typeof LISTS;

/** A value that the typed word can be completed to, and a short description of that value. */
interface Suggestion {
  readonly value: string;
  readonly description: string;
}

/** Maximum number of suggestions. */
const MAX_SUGGESTIONS = 50;
/**
 * Maximum number of accounts or organizations that are read to find those whose id begins with the typed text. The
 * database has no index for the beginning of such an id.
 */
const MAX_SEARCHED = 1000;

const AN_ID = /^[0-9a-f][0-9a-f-]*$/;

/**
 * Returns completions of a word that the user is typing. Tokens are suggested by name, and also by id if the word can
 * be the beginning of an id.
 */
export const suggest = authorized(
  // The cast is correct, because no rule of the use cases in `LISTS` depends on the input of its use case.
  (kind: SuggestionKind, _: string) => LISTS[kind].rule as Rule,
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
  { suggestions, accounts, organizations, signingKeys, services }: SuggestPorts,
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
      return (await organizations.list({ accountId: query.accountId, limit: MAX_SEARCHED })).map(numbered);
    case 'key':
      return (await signingKeys.list()).map(({ id, format, state }) => ({
        value: id,
        description: `${format}, ${state}`,
      }));
    case 'service':
      return (await existing(services)).map(({ name, description }) => ({
        value: name,
        description: description ?? '',
      }));
    case 'scope':
      return (await existing(services))
        .flatMap(livingScopes)
        .map(({ name, label }) => ({ value: name, description: label }));
    case 'credential':
      return (await existing(services)).flatMap(({ name, credentials }) =>
        credentials.map(({ id }) => ({ value: id, description: name })),
      );
  }
}

async function existing(services: SuggestPorts['services']) {
  return (await services.list()).filter(({ deletedAt }) => deletedAt === null);
}

function numbered({ id, name }: { readonly id: number; readonly name: string }): Suggestion {
  return { value: String(id), description: name };
}
