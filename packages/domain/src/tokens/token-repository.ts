import type { NotAllowed } from '../access/index.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { Awaitable } from '../awaitable.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { PasswordChanged, PasswordHash } from '../users/password-hasher.ts';
import type { UserId } from '../users/user.ts';
import type { ExpiryNotEarlier, TokenChanges, TokenNotUpdatable } from './administration/token-changes.ts';
import type { TokenQuery } from './administration/token-filter.ts';
import type { TokenDetails } from './administration/token-status.ts';
import type {
  AccountTokenPage,
  AccountTokenQuery,
  AttentionQuery,
  Attentions,
} from './lists/account-tokens.ts';
import type { Successor, TokenNotRotatable } from './rotation/rotation.ts';
import type { Revocation, Token, TokenId, TokenRecord } from './token.ts';
import type { TokenUsageWithAddresses } from './usage/token-usage.ts';

/** Why a token cannot be inserted: the user, account, key or name changed after the use case checked it. */
export type TokenInsertRefusal =
  | { readonly code: 'creator_not_fit' }
  | { readonly code: 'key_not_usable' }
  | { readonly code: 'token_name_taken' }
  /** A token with this id was inserted before. */
  | { readonly code: 'token_id_taken' };

/** Why a sign-in token cannot be inserted: the user, account, key or password changed after the use case checked it. */
export type SignInInsertRefusal = Exclude<TokenInsertRefusal, { code: 'token_name_taken' }> | PasswordChanged;

/** Why a successor cannot be inserted: the user, account, key or replaced token changed after the use case checked it. */
export type TokenRotationRefusal =
  /** The user who rotates is no longer an active admin. */
  | NotAllowed
  | Exclude<TokenInsertRefusal, { code: 'token_name_taken' }>
  | TokenNotFound
  | TokenNotRotatable
  /** The token was renamed, or its expiry brought forward. */
  | { readonly code: 'token_changed' };

/** The reason why the token cannot be changed. */
export type TokenUpdateRefusal =
  | Extract<TokenInsertRefusal, { code: 'token_name_taken' }>
  | TokenNotFound
  | TokenNotUpdatable
  | ExpiryNotEarlier;

export type TokenNotFound = { readonly code: 'token_not_found' };

/**
 * Stores token records. Each change and its audit event are one atomic step. Records of API tokens are never deleted.
 * Implementations pass `tokenRepositoryContract`.
 */
export interface TokenRepository {
  /**
   * Inserts the record of an API token after locking user, account and key against change and checking them again: the user
   * is an active admin, the account is not suspended, the key is active or verify-only. No other API token of this user may
   * have its name, unless it is revoked, replaced or expired at `token.createdAt`. An id is inserted once, and
   * `token_id_taken` comes before `token_name_taken`.
   */
  insert(token: Token, event: AuditEvent): Promise<Result<void, TokenInsertRefusal>>;

  /**
   * Inserts the record of a sign-in token like `insert`, but the user may be a member. Returns whether the user has `keep` or
   * more other live sign-in tokens. Tokens of concurrent sign-ins may be missing in this count. `signInTokenContract` tests
   * this part.
   */
  insertSignIn(
    token: Token,
    guard: SignInGuard,
    event: AuditEvent,
  ): Promise<Result<{ readonly isSurplus: boolean }, SignInInsertRefusal>>;

  /**
   * Inserts a successor with the name of the token that it `replaces`, after locking user, account, key and that token
   * against change and checking them again, as `insert` does. The user has to be the same, but may be a member by now. The
   * user who rotates, `by`, is locked and checked first: an active admin of that account. The replaced token must have no
   * `rotationProblem` at `successor.createdAt`, so one of two concurrent rotations succeeds, and the successor must take
   * after it (`takesAfter`). An id is inserted once, and checked last. `tokenRotationContract` tests this part.
   */
  rotate(
    successor: Successor,
    guard: { readonly by: UserId },
    events: readonly AuditEvent[],
  ): Promise<Result<void, TokenRotationRefusal>>;

  /** Finds the record with everything that decides on the token, in one consistent read. */
  findRecord(id: TokenId): Awaitable<TokenRecord | undefined>;

  /** Finds the records of these tokens, in no particular order; unknown ids are left out. */
  findRecords(ids: readonly TokenId[]): Promise<readonly TokenRecord[]>;

  /** Finds the token with its usage and successor, for administration. */
  find(id: TokenId): Promise<TokenDetails | undefined>;

  /** Like `find`, with the token that it replaces and the token that replaces it, from one read, in no particular order. */
  findWithRotation(id: TokenId): Promise<readonly TokenDetails[]>;

  /** Reads the token's usage with its addresses, as cheaply as `findRecord`. Returns empty usage for an unknown token. */
  findUsage(id: TokenId): Promise<TokenUsageWithAddresses>;

  /**
   * Deletes the addresses of up to `limit` tokens that were last seen before the day (UTC) of `before`. Returns the number of
   * tokens that had any. Skips tokens that another transaction has locked.
   */
  forgetAddresses(old: { readonly before: Instant; readonly limit: number }): Promise<number>;

  /**
   * Returns one page of the selected tokens, sorted by id and so by age, or with `expiringBefore` by expiry and then
   * id. `tokenReadingContract` tests this part.
   */
  list(query: TokenQuery): Promise<readonly TokenDetails[]>;

  /** Counts the selected tokens, up to `limit`. */
  count(query: Omit<TokenQuery, 'after'>): Promise<number>;

  /**
   * Returns one page of an account's API tokens, with its counts. The page before a position ends next to it, in the query's
   * order. The parts may be read one after the other. `tokenListContract` tests this part.
   */
  listOfAccount(query: AccountTokenQuery): Promise<AccountTokenPage>;

  /**
   * Finds the API tokens of the account that need attention. An accepted token needs attention if it expires soon, was unused
   * for long, or was refused since its last use. Another token needs attention if it is neither revoked nor expired, but its
   * creator is disabled. Tokens that expire soon are sorted by expiry, and unused tokens by last use, the earliest first.
   * `tokenListContract` tests this part.
   */
  findNeedingAttention(query: AttentionQuery): Promise<Attentions>;

  /**
   * Revokes the token. The revocation is durable when the promise resolves. A token that was revoked before keeps its first
   * revocation, gets no second event, and is returned with `already`.
   */
  revoke(
    id: TokenId,
    revocation: Revocation,
    event: AuditEvent,
  ): Promise<Result<{ readonly already: boolean; readonly token: TokenRecord }, TokenNotFound>>;

  /**
   * Changes the token by `updatedToken`, after locking it against change; durable when it resolves. A new name is reserved
   * as by `insert`: no other API token of its owner may have it, unless it is revoked, replaced or expired `at` this time.
   * Changes without an effect have no event. `tokenUpdateContract` tests this part.
   */
  update(
    id: TokenId,
    changes: TokenChanges,
    at: Instant,
    audit: (before: Token, after: Token) => AuditEvent,
  ): Promise<Result<{ readonly before: TokenDetails; readonly after: TokenDetails }, TokenUpdateRefusal>>;

  /**
   * Revokes the oldest of the user's live sign-in tokens until `keep` are left, each with an event `token.revoked` by the
   * actor of `cause`, and returns their number. It considers the `keep + limit` tokens that expire first, so it revokes at
   * most `limit`. Skips tokens that another transaction has locked. `signInBoundContract` tests this part.
   */
  endOldestSignIns(bound: SignInBound, revocation: Revocation, cause: AuditEvent): Promise<number>;

  /** Counts the sign-in tokens that ended before this time, up to `limit`. */
  countEnded(options: EndedTokens): Promise<number>;

  /**
   * Deletes up to `limit` sign-in tokens that ended (see `endOf`) before this time, and their usage, each with its event, and
   * returns their number. Skips tokens that another transaction has locked, so several processes can prune at once. API
   * tokens are never deleted. `tokenPruningContract` tests this part.
   */
  prune(options: EndedTokens, audit: (token: Token) => AuditEvent): Promise<number>;
}

/** The conditions for inserting a sign-in token. */
export interface SignInGuard {
  /** The token is inserted only if this is still the user's password hash. */
  readonly verifiedHash: PasswordHash;
  /** Whether to refuse a key that is no longer active. True if the key was read for an earlier token. */
  readonly needsActiveKey: boolean;
  readonly keep: number;
}

/** The largest number of live sign-in tokens of one user. */
export interface SignInBound {
  readonly userId: UserId;
  readonly keep: number;
  readonly limit: number;
}

export interface EndedTokens {
  readonly endedBefore: Instant;
  readonly limit: number;
}
