import type { AccountId } from '@gatehouse/domain/accounts';
import { TOKEN_ORDERS, TOKEN_SECTIONS, type TokenOrder, type TokenState } from '@gatehouse/domain/tokens';
import type { Gatehouse } from '../../cli.ts';
import { usageError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { ACCOUNT_ID, COUNT, NAME } from '../../input/parsers.ts';

const OTHERS = ['kind', 'key', 'creator', 'creatorInactive', 'unusedFor', 'expiringWithin', 'neverExpiring'];

/** The options of `token list` for a search and an order, which pages have as well. */
export const SEARCH_OPTIONS = {
  search: {
    ...NAME,
    value: 'text',
    description: 'List API tokens by words of their name or owner, an IP address or network, or the id',
    conflicts: OTHERS,
  },
  sort: {
    value: 'order',
    description: 'Sort the API tokens of an account in this order',
    choices: TOKEN_ORDERS,
    conflicts: OTHERS,
  },
  account: { ...ACCOUNT_ID, description: 'With --search or --sort: the account, instead of --as' },
  limit: { ...COUNT, description: 'List at most this number of tokens' },
} as const;

interface Asked {
  readonly search?: string | undefined;
  readonly sort?: TokenOrder | undefined;
  readonly account?: AccountId | undefined;
  readonly limit?: number | undefined;
  readonly state?: TokenState | undefined;
}

/** Whether a command searches or sorts, and so lists the API tokens of one account. */
export const isSearch = ({ search, sort, account }: Asked) => (search ?? sort ?? account) !== undefined;

/** Lists what a search finds. @param ended whether ended tokens follow the active ones */
export async function searchedTokens(
  gatehouse: Gatehouse,
  caller: Parameters<Gatehouse['searchTokens']>[0],
  { search, sort, account, limit, state }: Asked,
  ended: boolean,
) {
  if (caller.kind === 'operator' && account === undefined)
    throw usageError('--search and --sort list the tokens of one account: name it by --account or --as.');
  const sections = ended || state !== undefined ? TOKEN_SECTIONS : (['active'] as const);
  const input = { search, order: sort ?? 'newest', account, limit, state, sections } as const;
  return unwrap(await gatehouse.searchTokens(caller, input));
}
