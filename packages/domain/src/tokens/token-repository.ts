import type { AuditEvent } from '../audit/audit-event.ts';
import type { Result } from '../result.ts';
import type { PasswordHash } from '../users/password-hasher.ts';
import type { Grant, Revocation, Token, TokenId } from './token.ts';
import type { TokenQuery } from './token-filter.ts';
import type { TokenEntry } from './token-report.ts';

/** What no longer holds of the facts on which the token was about to be made. */
export type TokenInsertRefusal =
  | { readonly code: 'creator_not_fit' }
  | { readonly code: 'password_changed' }
  | { readonly code: 'key_not_usable' }
  | { readonly code: 'token_name_taken' };

export interface TokenNotFound {
  readonly code: 'token_not_found';
}

/**
 * Token records at rest. Each change and its audit event are one atomic step. Records stay.
 * Implementations pass `tokenRepositoryContract`.
 */
export interface TokenRepository {
  /**
   * Inserts the record after locking user, account and key against change and checking them again:
   * user active (for an API token: an admin, too), account not suspended, key active or verify-only; for a
   * sign-in token the password hash is still `verifiedHash`; for an API token no other of this user's API
   * tokens that is neither revoked nor expired at `token.createdAt` has its name.
   */
  insert(
    token: Token,
    guard: { readonly verifiedHash?: PasswordHash },
    event: AuditEvent,
  ): Promise<Result<void, TokenInsertRefusal>>;

  /** The record and all that decides on it: one read, of one moment. */
  findGrant(id: TokenId): Promise<Grant | undefined>;

  /** The token with all that is known of it, for whoever looks after it. */
  find(id: TokenId): Promise<TokenEntry | undefined>;

  /**
   * One page of the tokens that the filter takes: by id (so, by age); with `expiringBefore` those first that
   * expire first, and of one moment by id. `tokenReadingContract` tests this part.
   */
  list(query: TokenQuery): Promise<readonly TokenEntry[]>;

  /**
   * Ends the token; durable when it answers. One that was revoked before keeps its first revocation, gets
   * no second event, and is told apart by `already`.
   */
  revoke(
    id: TokenId,
    revocation: Revocation,
    event: AuditEvent,
  ): Promise<Result<{ readonly already: boolean; readonly grant: Grant }, TokenNotFound>>;
}
