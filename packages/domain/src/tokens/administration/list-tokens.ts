import { authorize, authorized, type Operator, type Principal, READ_TOKENS } from '../../access/index.ts';
import { inPages } from '../../paging.ts';
import type { Ports } from '../../ports.ts';
import { err, ok } from '../../result.ts';
import { shifted } from '../../time/instant.ts';
import type { UserRepository } from '../../users/user-repository.ts';
import type { TokenFilter } from './token-filter.ts';
import { type TokenStatus, tokenStatus } from './token-status.ts';

/** Selects tokens; filters are combined with AND. */
export interface ListTokensInput
  extends Pick<
    TokenFilter,
    'kind' | 'state' | 'live' | 'keyId' | 'creatorInactive' | 'neverExpiring' | 'overPolicy'
  > {
  /** The creator's email. */
  readonly creator?: string | undefined;
  /** Selects accepted tokens that were neither created nor used in the last `unusedFor` milliseconds. */
  readonly unusedFor?: number | undefined;
  /**
   * Selects accepted tokens that expire in the next `expiringWithin` milliseconds. The list is then sorted by expiry,
   * not by age.
   */
  readonly expiringWithin?: number | undefined;
  /** Whether the list begins with the newest token. Default: it begins with the oldest token. */
  readonly newestFirst?: boolean | undefined;
  /** Maximum number of tokens. Default: all. */
  readonly limit?: number | undefined;
}

/**
 * Lists tokens. An admin sees the tokens of their own account, and the operator sees the tokens of all accounts. Before
 * the first page, durations such as `unusedFor` are replaced by times, and the creator's email by a user id, so that
 * all pages of the list have the same filter.
 */
export const listTokens = authorized(
  READ_TOKENS,
  ({ tokens, users, clock }: Ports<'tokens' | 'users' | 'clock'>) =>
    async (caller, { creator, unusedFor, expiringWithin, limit, ...filter }: ListTokensInput) => {
      const userId = await creatorCalled(users, caller, creator);
      if (!userId.ok) return userId;
      const now = clock.now();
      const query = {
        ...filter,
        accountId: caller.kind === 'operator' ? undefined : caller.accountId,
        userId: userId.value,
        unusedSince: unusedFor === undefined ? undefined : shifted(now, -unusedFor),
        expiringBefore: expiringWithin === undefined ? undefined : shifted(now, expiringWithin),
        now,
      };
      const read = async (after: TokenStatus | undefined, size: number) => {
        const page = await tokens.list({ ...query, after, limit: size });
        return page.map((details) => tokenStatus(details, now));
      };
      return ok(inPages(read, limit === undefined ? {} : { limit }));
    },
);

/** Returns the id of the user with this email, or `user_not_found` for a user of another account. */
async function creatorCalled(users: UserRepository, caller: Principal | Operator, email: string | undefined) {
  if (email === undefined) return ok(undefined);
  const user = await users.findByEmail(email);
  return user && authorize(caller, READ_TOKENS, { accountId: user.accountId }).ok
    ? ok(user.id)
    : err({ code: 'user_not_found' });
}
