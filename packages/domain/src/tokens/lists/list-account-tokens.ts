import { authorized, READ_TOKENS } from '../../access/index.ts';
import { counted } from '../../paging.ts';
import type { Ports } from '../../ports.ts';
import { err, ok } from '../../result.ts';
import { shifted } from '../../time/instant.ts';
import { tokenStatus } from '../administration/token-status.ts';
import type { AccountTokenQuery } from './account-tokens.ts';
import { cursorOf } from './token-order.ts';

/** The number of tokens on a page. */
const PAGE_SIZE = 50;

/** Counts are exact up to this number. A larger count only says that there are more tokens. */
const MAX_COUNTED = 1000;

/** The members of a query that the use case sets, and not the caller. */
type Decided = 'accountId' | 'unusedSince' | 'expiringBefore' | 'limit' | 'countLimit' | 'now';

export interface ListAccountTokensInput extends Partial<Omit<AccountTokenQuery, Decided>> {
  /** Selects active tokens that were neither created nor used in the last `unusedFor` milliseconds. */
  readonly unusedFor?: number | undefined;
  /** Selects active tokens that expire in the next `expiringWithin` milliseconds. */
  readonly expiringWithin?: number | undefined;
}

/**
 * Returns one page of the API tokens of the caller's account, by default the newest active tokens. Refuses an operator,
 * because an operator has no account. If the page that the cursor selects no longer has tokens, returns the first
 * page.
 */
export const listAccountTokens = authorized(
  READ_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (caller, { unusedFor, expiringWithin, search, ...input }: ListAccountTokensInput = {}) => {
      if (caller.kind === 'operator') return err({ code: 'not_allowed' });
      const now = clock.now();
      const query: AccountTokenQuery = {
        section: 'active',
        order: 'newest',
        ...input,
        accountId: caller.accountId,
        search: search === '' ? undefined : search,
        unusedSince: unusedFor === undefined ? undefined : shifted(now, -unusedFor),
        expiringBefore: expiringWithin === undefined ? undefined : shifted(now, expiringWithin),
        limit: PAGE_SIZE,
        countLimit: MAX_COUNTED + 1,
        now,
      };
      const asked = await tokens.listOfAccount(query);
      const beyond = asked.tokens.length === 0 && query.cursor !== undefined;
      const cursor = beyond ? undefined : query.cursor;
      const page = beyond ? await tokens.listOfAccount({ ...query, cursor }) : asked;

      const backwards = cursor !== undefined && 'before' in cursor;
      const [first, last] = [page.tokens[0], page.tokens.at(-1)];
      const hasNext = backwards || page.more;
      const hasPrevious = backwards ? page.more : cursor !== undefined;
      return ok({
        tokens: page.tokens.map((details) => tokenStatus(details, now)),
        foundAddresses: page.foundAddresses,
        /** The cursor of the next page. */
        next: last && hasNext ? { after: cursorOf(query.order, last) } : undefined,
        /** The cursor of the previous page. */
        previous: first && hasPrevious ? { before: cursorOf(query.order, first) } : undefined,
        total: counted(page.total, MAX_COUNTED),
        counts: {
          active: counted(page.counts.active, MAX_COUNTED),
          ended: counted(page.counts.ended, MAX_COUNTED),
        },
      });
    },
);

const DAY = 86_400_000;

/** A token needs attention this long before its expiry, in milliseconds: 14 days. */
export const EXPIRES_SOON_MS = 14 * DAY;

/** A token counts as unused after this many milliseconds without a use: 90 days. */
export const UNUSED_MS = 90 * DAY;

/** For each reason, at most this many tokens are returned with their names. */
const NAMED = 3;

/** For each reason, at most this many tokens are counted exactly. */
const MAX_NEEDING_ATTENTION = 100;

/**
 * Finds which API tokens of the caller's account need attention, for each reason. Refuses an operator, because an
 * operator has no account.
 */
export const findTokensNeedingAttention = authorized(
  READ_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (caller) => {
      if (caller.kind === 'operator') return err({ code: 'not_allowed' });
      const now = clock.now();
      const found = await tokens.findNeedingAttention({
        accountId: caller.accountId,
        expiringBefore: shifted(now, EXPIRES_SOON_MS),
        unusedSince: shifted(now, -UNUSED_MS),
        countLimit: MAX_NEEDING_ATTENTION + 1,
        limit: NAMED,
        now,
      });
      const { expiring, unused, refusedSinceUse, overPolicy, creatorInactive } = found;
      const of = ({ count, first }: typeof expiring) => ({ ...counted(count, MAX_NEEDING_ATTENTION), first });
      return ok({
        expiring: of(expiring),
        unused: of(unused),
        refusedSinceUse: of(refusedSinceUse),
        overPolicy: of(overPolicy),
        creatorInactive: of(creatorInactive),
      });
    },
);
