import type { AuditEvent } from '../audit/audit-event.ts';
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

/**
 * Accounts at rest. Each change and its audit event are one atomic step.
 * Implementations pass `accountRepositoryContract`.
 */
export interface AccountRepository {
  /** The id is new and never used again. `audit` is called with the stored account, in the same transaction. */
  insert(account: NewAccount, audit: (created: Account) => AuditEvent): Promise<Account>;

  findById(id: AccountId): Promise<Account | undefined>;

  /** Every account, by id. */
  list(): Promise<readonly Account[]>;

  /**
   * Suspends the account, waiting for tokens that are just being made; a token made afterwards finds it
   * suspended. An account that is suspended already keeps its first moment and gets no second event.
   */
  suspend(id: AccountId, at: Instant, event: AuditEvent): Promise<Result<Account, AccountNotFound>>;

  /** Lifts a suspension; without effect (and without an event) where there is none. */
  resume(id: AccountId, event: AuditEvent): Promise<Result<Account, AccountNotFound>>;
}
