import { type AccessDenied, type Action, authorize } from '../access/authorize.ts';
import type { Operator, Principal } from '../access/caller.ts';
import type { AccountRepository } from '../accounts/account-repository.ts';
import type { OrganizationRepository } from '../organizations/organization-repository.ts';
import { ok, type Result } from '../result.ts';
import type { SigningKeyRepository } from '../signing-keys/signing-key-repository.ts';
import type { SuggestionSource } from './suggestion-source.ts';

export interface SuggestPorts {
  readonly suggestions: SuggestionSource;
  readonly accounts: Pick<AccountRepository, 'list'>;
  readonly organizations: Pick<OrganizationRepository, 'list'>;
  readonly signingKeys: Pick<SigningKeyRepository, 'list'>;
}

/** Who may list them may have them suggested. */
const ACTIONS = {
  token: 'tokens:read',
  user: 'users:manage',
  account: 'accounts:manage',
  organization: 'orgs:manage',
  key: 'keys:manage',
} as const satisfies Record<string, Action>;

export type SuggestionKind = keyof typeof ACTIONS;

export const SUGGESTION_KINDS = Object.keys(ACTIONS) as readonly SuggestionKind[];

/** What names the thing, and a word on it for whoever has to choose. */
export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

export type Suggest = (
  caller: Principal | Operator,
  kind: SuggestionKind,
  prefix: string,
) => Promise<Result<readonly Suggestion[], AccessDenied>>;

/** Nobody looks through more. */
const LIMIT = 50;
/** How far lists are looked through that have no order to find a beginning by. */
const FIRST = 1000;

const AN_ID = /^[0-9a-f][0-9a-f-]*$/;

/**
 * Finds what a word that somebody begins to type may become. A token may be meant by its name or by its id; ids are
 * suggested once they are begun.
 */
export function suggest(ports: SuggestPorts): Suggest {
  return async (caller, kind, prefix) => {
    const allowed = authorize(caller, ACTIONS[kind]);
    if (!allowed.ok) return allowed;
    const found = await find(ports, kind, {
      prefix,
      limit: LIMIT,
      ...(caller.kind === 'user' && { accountId: caller.accountId }),
    });
    return ok(found.filter(({ value }) => value.startsWith(prefix)).slice(0, LIMIT * 2));
  };
}

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
      return (await accounts.list({ limit: FIRST })).map(numbered);
    case 'organization':
      return (await organizations.list({ limit: FIRST })).map(numbered);
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
