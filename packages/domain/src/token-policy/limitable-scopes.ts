import type { AccountId } from '../accounts/account.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import { scopeChoices } from '../services/scope-choices.ts';
import type { ParseScopes } from './change-token-rules.ts';

/**
 * Returns the function that parses the scopes of a limit of an account, or of the floor. `*` also allows each scope of
 * the API, because a token that may do everything there may do less. A scope of the API that is added later must be
 * allowed then.
 */
export async function readLimitableScopes(
  { catalog, services }: Ports<'catalog' | 'services'>,
  accountId?: AccountId,
): Promise<ParseScopes> {
  const choices = scopeChoices(catalog, await services.list(), accountId);
  return (texts) => {
    const parsed = choices.parse(texts);
    if (!parsed.ok || !parsed.value.includes('*')) return parsed;
    return ok([...new Set([...parsed.value, ...catalog.scopes])].sort());
  };
}
