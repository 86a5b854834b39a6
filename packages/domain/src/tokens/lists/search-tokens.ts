import { authorized, READ_TOKENS } from '../../access/index.ts';
import type { AccountId } from '../../accounts/account.ts';
import type { Pages } from '../../paging.ts';
import type { Ports } from '../../ports.ts';
import { err, ok } from '../../result.ts';
import { type TokenStatus, tokenStatus } from '../administration/token-status.ts';
import type { TokenRepository } from '../token-repository.ts';
import type { AccountTokenQuery, TokenSection } from './account-tokens.ts';
import { cursorOf, type TokenOrder } from './token-order.ts';

export interface SearchTokensInput extends Pick<AccountTokenQuery, 'search' | 'state'> {
  /** The account whose tokens an operator searches. An admin searches the tokens of their own account. */
  readonly account?: AccountId | undefined;
  readonly order: TokenOrder;
  /** The sections of the list, one after the other. */
  readonly sections: readonly TokenSection[];
  /** The largest number of tokens. Default: all. */
  readonly limit?: number | undefined;
}

/** The number of tokens that are read at once. */
const PAGE_SIZE = 500;

/**
 * Lists the API tokens of one account that a search finds, in an order of `TOKEN_ORDERS`. The search and the orders are
 * those of `listAccountTokens`, with pages that are read when the caller asks for them. An operator has to name the
 * account, else the error is `not_allowed`.
 */
export const searchTokens = authorized(
  READ_TOKENS,
  ({ accounts, tokens, clock }: Ports<'accounts' | 'tokens' | 'clock'>) =>
    async (caller, { account, sections, limit, ...input }: SearchTokensInput) => {
      const accountId = caller.kind === 'operator' ? account : caller.accountId;
      if (accountId === undefined) return err({ code: 'not_allowed' });
      if (!(await accounts.findById(accountId))) return err({ code: 'account_not_found' });
      return ok(pagesOf(tokens, sections, { ...input, accountId, now: clock.now() }, limit));
    },
);

type Query = Omit<AccountTokenQuery, 'section' | 'limit' | 'countLimit'>;

async function* pagesOf(
  tokens: Pick<TokenRepository, 'listOfAccount'>,
  sections: readonly TokenSection[],
  query: Query,
  limit = Number.POSITIVE_INFINITY,
): Pages<TokenStatus> {
  let left = limit;
  for (const section of sections) {
    let cursor: AccountTokenQuery['cursor'];
    let more = true;
    while (more && left > 0) {
      const size = Math.min(left, PAGE_SIZE);
      const page = await tokens.listOfAccount({ ...query, section, cursor, limit: size, countLimit: 1001 });
      const last = page.tokens.at(-1);
      if (last === undefined) break;
      yield page.tokens.map((details) => tokenStatus(details, query.now));
      left -= page.tokens.length;
      cursor = { after: cursorOf(query.order, last) };
      more = page.more;
    }
  }
}
