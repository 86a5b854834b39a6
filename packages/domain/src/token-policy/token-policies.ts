import type { NotAllowed } from '../access/authorize.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AccountNotFound } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { Token } from '../tokens/token.ts';
import type { AccountTokenPolicy, TokenFloor, TokenPolicy } from './token-policy.ts';

/** Rules before and after a change. Both are the same object if nothing changed. */
export interface RulesUpdate<Rules> {
  readonly before: Rules;
  readonly after: Rules;
}

/** A token that would be accepted for too long, and its expiry once it is shortened. */
export interface ShortenedToken {
  readonly token: Token;
  readonly expiresAt: Instant;
}

/** Selects tokens that would be accepted for too long, counted from this time. */
export interface TooLongAt {
  readonly at: Instant;
  readonly limit: number;
}

/**
 * Stores the rules of accounts for tokens, and the floor of the operator. Each change and its audit event are one
 * atomic step. A change waits until transactions that are inserting or changing tokens of the account have ended,
 * because they do not see the change; later ones see it. Implementations pass `tokenPoliciesContract`.
 */
export interface TokenPolicies {
  /** Returns the rules of the account and the floor; undefined if there is no such account. */
  find(accountId: AccountId): Promise<AccountTokenPolicy | undefined>;

  /** Returns the floor. Every installation has one, without limits at first. */
  findFloor(): Promise<TokenFloor>;

  /**
   * Locks the rules of the account against other changes, and stores what `change` returns. Nothing is stored if
   * `change` returns an error or the rules themselves. Returns `not_allowed` if the user whom the event names as its
   * actor is no longer an active admin of the account.
   */
  set<E = never>(
    accountId: AccountId,
    change: (before: TokenPolicy) => Result<TokenPolicy, E>,
    audit: (before: TokenPolicy, after: TokenPolicy) => AuditEvent,
  ): Promise<Result<RulesUpdate<TokenPolicy>, E | AccountNotFound | NotAllowed>>;

  /** Changes the floor in the same way. */
  setFloor<E = never>(
    change: (before: TokenFloor) => Result<TokenFloor, E>,
    audit: (before: TokenFloor, after: TokenFloor) => AuditEvent,
  ): Promise<Result<RulesUpdate<TokenFloor>, E>>;

  /**
   * Returns a page of the account's tokens that are neither revoked nor expired, and would be accepted for longer than
   * the rules allow, those with the latest expiry first. A token without an expiry is before all others.
   */
  listTooLong(
    accountId: AccountId,
    page: TooLongAt & { readonly after?: Pick<Token, 'id' | 'expiresAt'> | undefined },
  ): Promise<readonly ShortenedToken[]>;

  /**
   * Locks up to `limit` of these tokens, in the order of their ids, and shortens them to what the rules allow. Returns
   * nothing if the user whom an event names as its actor is no longer an active admin of the account. The change is
   * durable when the promise resolves.
   */
  shorten(
    accountId: AccountId,
    bound: TooLongAt,
    audit: (shortened: ShortenedToken) => AuditEvent,
  ): Promise<readonly ShortenedToken[]>;
}
