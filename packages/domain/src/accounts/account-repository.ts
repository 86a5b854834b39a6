import type { AuditEvent } from '../audit/audit-event.ts';
import type { PageById } from '../paging.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { Account, AccountId } from './account.ts';

export interface NewAccount {
  readonly name: string;
  readonly createdAt: Instant;
}

export interface AccountNotFound {
  readonly code: 'account_not_found';
}

/** An account after a change that may have been made before. */
export interface ChangedAccount {
  readonly account: Account;
  /** It was so before; nothing changed. */
  readonly already: boolean;
}

/** What hangs on an account; neither number is counted beyond the limit that was given. */
export interface AccountUse {
  readonly activeUsers: number;
  /** Those that are neither revoked nor expired, whoever's they are. */
  readonly liveTokens: number;
}

/**
 * Accounts at rest. Each change and its audit event are one atomic step.
 * Implementations pass `accountRepositoryContract`.
 */
export interface AccountRepository {
  /** The id is new and never used again. `audit` is called with the stored account, in the same transaction. */
  insert(account: NewAccount, audit: (created: Account) => AuditEvent): Promise<Account>;

  findById(id: AccountId): Promise<Account | undefined>;

  /** One page of the accounts, by id: those after `after`. */
  list(page: PageById<AccountId>): Promise<readonly Account[]>;

  /** Counts up to `limit` of each. An account that is not there has none. */
  countUse(id: AccountId, options: { readonly at: Instant; readonly limit: number }): Promise<AccountUse>;

  /**
   * Suspends the account, waiting for tokens that are just being made; a token made afterwards finds it
   * suspended. An account that is suspended already keeps its first moment and gets no second event.
   */
  suspend(id: AccountId, at: Instant, event: AuditEvent): Promise<Result<ChangedAccount, AccountNotFound>>;

  /** Lifts a suspension; without effect (and without an event) where there is none. */
  resume(id: AccountId, event: AuditEvent): Promise<Result<ChangedAccount, AccountNotFound>>;
}
