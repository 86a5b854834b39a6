import { authorized, ISSUE_TOKENS, type Principal } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import { scopeChoices } from './scope-choices.ts';

/** Lists the scopes that the caller can give to a new token. */
export const listScopeChoices = authorized(
  ISSUE_TOKENS,
  ({ catalog, services }: Ports<'catalog' | 'services'>) =>
    async ({ accountId }: Principal) =>
      ok(scopeChoices(catalog, await services.list(), accountId)),
);
