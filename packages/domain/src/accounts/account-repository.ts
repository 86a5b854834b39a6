import type { NotAllowed } from '../access/authorize.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { PageById } from '../paging.ts';
import { type ChangeOutcome, err, ok, type Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { Account, AccountId } from './account.ts';

type NewAccount = Pick<Account, 'name' | 'createdAt'>;

export type AccountNotFound = { readonly code: 'account_not_found' };

type ChangedAccount = ChangeOutcome & { readonly account: Account };

/**
 * The numbers of users, tokens and organizations of an account. Each is counted only up to the limit that was passed to
 * `countUse`.
 */
export interface AccountUse {
  readonly activeUsers: number;
  /** The number of API tokens that are neither revoked nor expired. Sign-ins do not count. */
  readonly apiTokens: number;
  readonly organizations: number;
}

/**
 * Stores accounts. Each change and its audit event are one atomic step.
 * Implementations pass `accountRepositoryContract`.
 */
export interface AccountRepository {
  /**
   * Inserts an account with a new id. An id is never used for a second account. `audit` is called with the stored
   * account, in the same transaction.
   */
  insert(account: NewAccount, audit: (created: Account) => AuditEvent): Promise<Account>;

  findById(id: AccountId): Promise<Account | undefined>;

  /** Returns one page of the accounts, sorted by id and starting after `after`. */
  list(page: PageById<AccountId>): Promise<readonly Account[]>;

  /** Lists up to `limit` accounts with exactly this name, sorted by id. */
  listByName(name: string, limit: number): Promise<readonly Account[]>;

  /**
   * Counts the active users, the live tokens and the organizations of an account, each up to `limit`. For an unknown
   * account, all are 0.
   */
  countUse(id: AccountId, options: { readonly at: Instant; readonly limit: number }): Promise<AccountUse>;

  /**
   * Renames the account. If the account already has the name, changes nothing and records no event. `audit` is called
   * with the account as it was before the change. Returns `not_allowed` if the user whom the event names as its actor is
   * no longer an active admin of the account when the change is made.
   */
  rename(
    id: AccountId,
    name: string,
    audit: (before: Account) => AuditEvent,
  ): Promise<Result<ChangedAccount, AccountNotFound | NotAllowed>>;

  /**
   * Suspends the account. First waits until transactions that are inserting tokens of the account have ended, because
   * they do not see the suspension. Later transactions see it. If the account is already suspended, keeps the time of
   * that suspension and stores no second event.
   */
  suspend(id: AccountId, at: Instant, event: AuditEvent): Promise<Result<ChangedAccount, AccountNotFound>>;

  /** Ends a suspension. If the account is not suspended, changes nothing and records no event. */
  resume(id: AccountId, event: AuditEvent): Promise<Result<ChangedAccount, AccountNotFound>>;
}

/** Selects the records of one account. Without an account, selects the records of all accounts. */
export interface InAccount {
  readonly accountId?: AccountId | undefined;
}

/** Checks that the account of a filter exists, if one is given. */
export async function checkAccount(accounts: AccountRepository, id: AccountId | undefined) {
  if (id === undefined || (await accounts.findById(id))) return ok(undefined);
  return err({ code: 'account_not_found' });
}
