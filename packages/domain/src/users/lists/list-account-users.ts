import { authorized, READ_USERS } from '../../access/index.ts';
import { counted } from '../../paging.ts';
import type { Ports } from '../../ports.ts';
import { err, ok } from '../../result.ts';
import type { AccountUserQuery } from './account-users.ts';
import { MAX_TOKENS_COUNTED } from './account-users.ts';
import { userCursorOf } from './user-order.ts';

/** The number of users on a page. */
const PAGE_SIZE = 50;

/** Counts are exact up to this number. A larger count only says that there are more users. */
const MAX_COUNTED = 1000;

export type ListAccountUsersInput = Partial<
  Omit<AccountUserQuery, 'accountId' | 'limit' | 'countLimit' | 'now'>
>;

/**
 * Returns one page of the users of the caller's account, by default sorted by name. Refuses an operator, because an
 * operator has no account. If the page that the cursor selects no longer has users, returns the first page.
 */
export const listAccountUsers = authorized(
  READ_USERS,
  ({ users, clock }: Ports<'users' | 'clock'>) =>
    async (caller, { search, ...input }: ListAccountUsersInput = {}) => {
      if (caller.kind === 'operator') return err({ code: 'not_allowed' });
      const query: AccountUserQuery = {
        order: 'name',
        ...input,
        accountId: caller.accountId,
        search: search === '' ? undefined : search,
        limit: PAGE_SIZE,
        countLimit: MAX_COUNTED + 1,
        now: clock.now(),
      };
      const asked = await users.listOfAccount(query);
      const isBeyond = asked.users.length === 0 && query.cursor !== undefined;
      const cursor = isBeyond ? undefined : query.cursor;
      const page = isBeyond ? await users.listOfAccount({ ...query, cursor }) : asked;

      const backwards = cursor !== undefined && 'before' in cursor;
      const [first, last] = [page.users[0], page.users.at(-1)];
      const hasNext = backwards || page.more;
      const hasPrevious = backwards ? page.more : cursor !== undefined;
      return ok({
        users: page.users.map(({ liveTokens, ...listed }) => ({
          ...listed,
          tokens: counted(liveTokens, MAX_TOKENS_COUNTED),
        })),
        /** The cursor of the next page. */
        next: last && hasNext ? { after: userCursorOf(query.order, last.user) } : undefined,
        /** The cursor of the previous page. */
        previous: first && hasPrevious ? { before: userCursorOf(query.order, first.user) } : undefined,
        total: counted(page.total, MAX_COUNTED),
      });
    },
);
