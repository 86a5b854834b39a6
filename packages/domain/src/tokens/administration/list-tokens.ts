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
  extends Pick<TokenFilter, 'kind' | 'state' | 'keyId' | 'creatorInactive' | 'neverExpiring'> {
  /** The creator's email. */
  readonly creator?: string | undefined;
  /** Selects accepted tokens that were neither created nor used in this many milliseconds. */
  readonly unusedFor?: number | undefined;
  /** Selects accepted tokens that expire within this many milliseconds. Sorts by expiry instead of age. */
  readonly expiringWithin?: number | undefined;
  /** Default: the oldest first. */
  readonly newestFirst?: boolean | undefined;
}

/**
 * Lists tokens: an admin sees the account's, the operator all. Durations and emails are resolved once, so all pages
 * have the same filter.
 */
export const listTokens = authorized(
  READ_TOKENS,
  ({ tokens, users, clock }: Ports<'tokens' | 'users' | 'clock'>) =>
    async (caller, { creator, unusedFor, expiringWithin, ...filter }: ListTokensInput) => {
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
      const read = async (after: TokenStatus | undefined, limit: number) => {
        const page = await tokens.list({ ...query, after, limit });
        return page.map((details) => tokenStatus(details, now));
      };
      return ok(inPages(read));
    },
);

/** Finds the creator by email; another account's user is not found. */
async function creatorCalled(users: UserRepository, caller: Principal | Operator, email: string | undefined) {
  if (email === undefined) return ok(undefined);
  const user = await users.findByEmail(email);
  return user && authorize(caller, READ_TOKENS, { accountId: user.accountId }).ok
    ? ok(user.id)
    : err({ code: 'user_not_found' });
}
