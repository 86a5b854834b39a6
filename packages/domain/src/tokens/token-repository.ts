import type { AuditEvent } from '../audit/audit-event.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { PasswordHash } from '../users/password-hasher.ts';
import type { UserId } from '../users/user.ts';
import type { TokenQuery } from './administration/token-filter.ts';
import type { TokenDetails } from './administration/token-status.ts';
import type { Successor, TokenNotRotatable } from './rotation/rotation.ts';
import type { Revocation, Token, TokenId, TokenRecord } from './token.ts';

/** What no longer holds of the facts on which the token was about to be made. */
export type TokenInsertRefusal =
  | { readonly code: 'creator_not_fit' }
  | { readonly code: 'password_changed' }
  | { readonly code: 'key_not_usable' }
  | { readonly code: 'token_name_taken' };

/** What no longer holds of the facts on which the successor was about to be made. */
export type TokenRotationRefusal =
  | Extract<TokenInsertRefusal, { code: 'creator_not_fit' | 'key_not_usable' }>
  | TokenNotFound
  | TokenNotRotatable;

export interface TokenNotFound {
  readonly code: 'token_not_found';
}

/**
 * Token records at rest. Each change and its audit event are one atomic step. Records of API tokens
 * stay.
 * Implementations pass `tokenRepositoryContract`.
 */
export interface TokenRepository {
  /**
   * Inserts the record after locking user, account and key against change and checking them again:
   * user active (for an API token: an admin, too), account not suspended, key active or verify-only; for a
   * sign-in token the password hash is still `verifiedHash`; for an API token no other of this user's API
   * tokens that is neither revoked nor replaced nor expired at `token.createdAt` has its name.
   */
  insert(
    token: Token,
    guard: { readonly verifiedHash?: PasswordHash },
    event: AuditEvent,
  ): Promise<Result<void, TokenInsertRefusal>>;

  /**
   * Inserts the token that is to take the place of the one that it `replaces`, and takes over its name, after
   * locking user, account, key and that token against change and checking them again, as `insert` does; but
   * the user, who is still the replaced token's, may be a member by now. No `rotationProblem` may stand
   * against that token at `successor.createdAt`: of two rotations at once, one succeeds. `tokenRotationContract`
   * tests this part.
   */
  rotate(successor: Successor, events: readonly AuditEvent[]): Promise<Result<void, TokenRotationRefusal>>;

  /**
   * The record and all that decides on it: one read, of one moment. A request gives the user that the signed token
   * names, so that users take turns; it changes nothing in what is found.
   */
  findRecord(id: TokenId, subject?: UserId): Promise<TokenRecord | undefined>;

  /** The records of those of these tokens that are there, in no order. */
  findRecords(ids: readonly TokenId[]): Promise<readonly TokenRecord[]>;

  /** The token with all that is known of it, for whoever looks after it. */
  find(id: TokenId): Promise<TokenDetails | undefined>;

  /**
   * One page of the tokens that the filter takes: by id (so, by age); with `expiringBefore` those first that
   * expire first, and of one moment by id. `tokenReadingContract` tests this part.
   */
  list(query: TokenQuery): Promise<readonly TokenDetails[]>;

  /** How many tokens the filter takes; it counts up to `limit`. */
  count(query: Omit<TokenQuery, 'after'>): Promise<number>;

  /**
   * Ends the token; durable when it answers. One that was revoked before keeps its first revocation, gets
   * no second event, and is told apart by `already`.
   */
  revoke(
    id: TokenId,
    revocation: Revocation,
    event: AuditEvent,
  ): Promise<Result<{ readonly already: boolean; readonly token: TokenRecord }, TokenNotFound>>;

  /**
   * Revokes the oldest of the user's live sign-in tokens until `keep` of them are left, each with an event
   * `token.revoked` by the actor of `cause`; answers how many. It looks at the `keep + limit` that expire first, so no
   * more than `limit` end at once. A token that another transaction has locked is passed over.
   * `signInBoundContract` tests this part.
   */
  endOldestSignIns(bound: SignInBound, revocation: Revocation, cause: AuditEvent): Promise<number>;

  /** How many sign-in tokens ended before this moment; it counts up to `limit`. */
  countEnded(options: EndedTokens): Promise<number>;

  /**
   * Deletes up to `limit` of the sign-in tokens that ended (see `endOf`) before this moment, with what is known of
   * their use, each with its event; answers how many. One that somebody else has hold of is passed over, so
   * that several may prune at once. API tokens stay, always. `tokenPruningContract` tests this part.
   */
  prune(options: EndedTokens, audit: (token: Token) => AuditEvent): Promise<number>;
}

/** How many live sign-in tokens one user may have. */
export interface SignInBound {
  readonly userId: UserId;
  readonly keep: number;
  readonly limit: number;
}

export interface EndedTokens {
  readonly endedBefore: Instant;
  readonly limit: number;
}
