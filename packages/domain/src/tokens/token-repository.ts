import type { NotAllowed } from '../access/index.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { Awaitable } from '../awaitable.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { LifetimeNotAllowed, TokenLimitBroken } from '../token-policy/token-limit.ts';
import type { PasswordChanged, PasswordHash } from '../users/password-hasher.ts';
import type { TransferRaisesRights } from '../users/token-transfer.ts';
import type { UserId } from '../users/user.ts';
import type { TransferTargetNotFit } from '../users/user-repository.ts';
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

/** Why a token cannot be inserted: the user, account, key, name or rules changed after the use case checked it. */
export type TokenInsertRefusal =
  /** The user who makes the token for another one is no longer an active admin. */
  | NotAllowed
  | TokenLimitBroken
  | { readonly code: 'creator_not_fit' }
  | { readonly code: 'key_not_usable' }
  | { readonly code: 'token_name_taken' }
  /** A token with this id was inserted before. */
  | { readonly code: 'token_id_taken' };

/** Why a sign-in token cannot be inserted: the user, account, key or password changed after the use case checked it. */
export type SignInInsertRefusal =
  | Exclude<
      TokenInsertRefusal,
      { code: 'not_allowed' | 'token_name_taken' | 'scopes_not_allowed' | 'networks_required' }
    >
  | PasswordChanged;

/**
 * Why a successor cannot be inserted: the user, account, key or replaced token changed after the use case checked it.
 */
export type TokenRotationRefusal =
  /** The user who rotates is no longer an active admin. */
  | NotAllowed
  | Exclude<TokenInsertRefusal, { code: 'token_name_taken' | 'scopes_not_allowed' | 'networks_required' }>
  | TokenNotFound
  | TokenNotRotatable
  /** The replaced token was renamed, or its expiry was made earlier, after the successor was made. */
  | { readonly code: 'token_changed' };

/** Why a token cannot be changed. */
export type TokenUpdateRefusal =
  /** The user who changes it is no longer an active admin. */
  | NotAllowed
  | Extract<TokenInsertRefusal, { code: 'token_name_taken' }>
  | TokenNotFound
  | TokenNotUpdatable
  | ExpiryNotEarlier
  | LifetimeNotAllowed;

/** Why a token cannot be given to another owner. */
export type TokenGiveRefusal =
  /** The user who gives it is no longer an active admin. */
  | NotAllowed
  | Extract<TokenInsertRefusal, { code: 'token_name_taken' }>
  | TokenNotFound
  | TokenNotUpdatable
  | TransferTargetNotFit
  | TransferRaisesRights;

/** One of several tokens that were to be revoked. `already` is true if the token had ended before. */
export interface RevokedToken {
  readonly token: Token;
  readonly already: boolean;
}

export type TokenNotFound = { readonly code: 'token_not_found' };

/** A token with its details, and whether it breaks the rules of its account or of the operator. */
export interface TokenUnderRules extends TokenDetails {
  readonly isOverPolicy: boolean;
}

/**
 * Stores token records. Each change and its audit event are one atomic step. Records of API tokens are never deleted.
 * `revoke`, `revokeSeveral` and `update` return `not_allowed` if the user whom the event names as its actor is no
 * longer an active admin of the account, or the account is suspended. `actingTokenAdminContract` tests this.
 * Implementations pass `tokenRepositoryContract`.
 */
export interface TokenRepository {
  /**
   * Inserts the record of an API token. Before that, locks the user, the account and the key against change, and checks
   * them again: the user must be an active admin or service account, the account must not be suspended, and the key
   * must be active or verify-only. If the event names another user as its actor, that user must be an active admin of
   * the account (`not_allowed`). The token must keep the rules of the account and the floor (`limitProblem`). No other
   * API token of this user may have the same name, unless that token is revoked, replaced or expired at
   * `token.createdAt`. If both the id and the name are taken, the error is `token_id_taken`. `description` says what
   * the token is for; null and undefined are no description.
   */
  insert(
    token: Token,
    event: AuditEvent,
    description?: string | null,
  ): Promise<Result<void, TokenInsertRefusal>>;

  /**
   * Inserts the record of a sign-in token after the same checks as `insert`, but the user may be a member, and of the
   * rules only the longest lifetime is checked. `isSurplus`
   * is true if the user has at least `keep` other live sign-in tokens. The count may lack tokens of concurrent
   * sign-ins. `signInTokenContract` tests this part.
   */
  insertSignIn(
    token: Token,
    guard: SignInGuard,
    event: AuditEvent,
  ): Promise<Result<{ readonly isSurplus: boolean }, SignInInsertRefusal>>;

  /**
   * Inserts a successor with the name and the description of the token that it `replaces`. First locks the user who
   * rotates the token (`by`), who must be an active admin of the account. Then locks the token's user, the account,
   * the key and the replaced token against change, and checks them again. The successor must have the same user as the
   * replaced token, but this user may be a member by now. The replaced token must have no `rotationProblem` at
   * `successor.createdAt`, so only one of two concurrent rotations succeeds. The successor must have the current name
   * and networks, and at most the lifetime of the replaced token (`takesAfter`), and not be accepted for longer than
   * the rules allow. Its scopes are not checked: a rotation gives no new right. The last check is that no token has the
   * successor's id. `tokenRotationContract` tests this method.
   */
  rotate(
    successor: Successor,
    guard: { readonly by: UserId },
    events: readonly AuditEvent[],
  ): Promise<Result<void, TokenRotationRefusal>>;

  /** Finds the token's record, with everything that decides whether the token is accepted, in one consistent read. */
  findRecord(id: TokenId): Awaitable<TokenRecord | undefined>;

  /** Finds the records of these tokens, in no particular order; unknown ids are left out. */
  findRecords(ids: readonly TokenId[]): Promise<readonly TokenRecord[]>;

  /** Finds the token with its usage and successor, for administration. */
  find(id: TokenId): Promise<TokenDetails | undefined>;

  /** Finds these tokens as `find` does, in the order of their ids; unknown ids are left out. */
  findSeveral(ids: readonly TokenId[]): Promise<readonly TokenDetails[]>;

  /**
   * Finds the token with this id, the token that it replaces, and the token that replaces it, and whether they break
   * the rules at this time. All are from one read, and in no particular order.
   */
  findWithRotation(id: TokenId, at: Instant): Promise<readonly TokenUnderRules[]>;

  /**
   * Reads the token's usage with the addresses of its requests. Returns empty usage for an unknown token. This read
   * must be as cheap as `findRecord`.
   */
  findUsage(id: TokenId): Promise<TokenUsageWithAddresses>;

  /**
   * Deletes the addresses that were last seen before the day (UTC) of `before`: those that Gatehouse saw, of up to
   * `limit` tokens, and those of uses at services, of as many. Returns the number of tokens whose addresses were
   * deleted. Skips tokens that another transaction has locked.
   */
  forgetAddresses(old: { readonly before: Instant; readonly limit: number }): Promise<number>;

  /**
   * Returns one page of the selected tokens. They are sorted by id, and therefore by age. With `expiringBefore`, they
   * are sorted by expiry, and by id if they expire at the same time. `tokenReadingContract` tests this part.
   */
  list(query: TokenQuery): Promise<readonly TokenDetails[]>;

  /** Counts the selected tokens, up to `limit`. */
  count(query: Omit<TokenQuery, 'after'>): Promise<number>;

  /**
   * Returns one page of an account's API tokens, and the counts. A page before a cursor ends with the token directly
   * before the cursor, and has the same order as other pages. The page and the counts may be read one after the other.
   * `tokenListContract` tests this part.
   */
  listOfAccount(query: AccountTokenQuery): Promise<AccountTokenPage>;

  /**
   * Finds the API tokens of the account that need attention. An accepted token needs attention if it expires soon, was
   * unused for long, was refused since its last use, or breaks the rules of the account. A token that is not accepted
   * needs attention if it is neither revoked nor expired, but its creator is disabled. Tokens that expire soon are
   * sorted by expiry, and unused tokens by last use, the earliest first. `tokenListContract` tests this part.
   */
  findNeedingAttention(query: AttentionQuery): Promise<Attentions>;

  /**
   * Revokes the token. The revocation is durable when the promise resolves. A token that is already revoked keeps that
   * revocation and gets no second event. The result then has `already: true`.
   */
  revoke(
    id: TokenId,
    revocation: Revocation,
    event: AuditEvent,
  ): Promise<Result<{ readonly already: boolean; readonly token: TokenRecord }, NotAllowed | TokenNotFound>>;

  /**
   * Revokes these tokens of the account. Locks the tokens against change, in the order of their ids. If one of them is
   * not a token of the account, nothing is changed. A token that was revoked before, or has expired at
   * `revocation.at`, is left as it is: its result has `already: true`. Each other token gets an event.
   * `tokensRevocationContract` tests this part.
   */
  revokeSeveral(
    ids: readonly TokenId[],
    accountId: AccountId,
    revocation: Revocation,
    audit: (token: Token) => AuditEvent,
  ): Promise<Result<readonly RevokedToken[], NotAllowed | TokenNotFound>>;

  /**
   * Locks the token against change, and changes it as `updatedToken` defines. The change is durable when the promise
   * resolves. A new expiry must not be later than the rules allow at this time (`lifetimeProblem`). No other API token
   * of the token's owner may have the new name, unless that token is revoked, replaced or
   * expired `at` this time. Changes without an effect have no event. `tokenUpdateContract` tests this part.
   */
  update(
    id: TokenId,
    changes: TokenChanges,
    at: Instant,
    audit: (before: TokenDetails, after: TokenDetails) => AuditEvent,
  ): Promise<Result<{ readonly before: TokenDetails; readonly after: TokenDetails }, TokenUpdateRefusal>>;

  /**
   * Makes another user the owner of an API token, which must have no `rotationProblem`. Locks the account, both users
   * and the token, so that the new owner stays one who can receive it (`transferRefusal`) until the change is made. The
   * new owner must not have another API token of this name that is neither revoked, replaced nor expired `at` this
   * time. `tokenGivingContract` tests this part.
   */
  give(
    id: TokenId,
    to: UserId,
    at: Instant,
    audit: (before: TokenDetails) => AuditEvent,
  ): Promise<Result<{ readonly before: TokenDetails; readonly after: TokenDetails }, TokenGiveRefusal>>;

  /**
   * Revokes the oldest of the user's live sign-in tokens until `keep` are left. Returns the number of revoked tokens.
   * Each of them gets an event `token.revoked` with the actor of `cause`. Only the `keep + limit` tokens that expire
   * first are read, so at most `limit` tokens are revoked. Skips tokens that another transaction has locked.
   * `signInBoundContract` tests this part.
   */
  endOldestSignIns(bound: SignInBound, revocation: Revocation, cause: AuditEvent): Promise<number>;

  /** Counts the sign-in tokens that ended before this time, up to `limit`. */
  countEnded(options: EndedTokens): Promise<number>;

  /**
   * Deletes up to `limit` sign-in tokens that ended (see `endOf`) before this time, and their usage. Returns the number
   * of deleted tokens. Each of them gets an event. Skips tokens that another transaction has locked, so that several
   * processes can prune at the same time. API tokens are never deleted. `tokenPruningContract` tests this part.
   */
  prune(options: EndedTokens, audit: (token: Token) => AuditEvent): Promise<number>;
}

/** The conditions for inserting a sign-in token. */
export interface SignInGuard {
  /**
   * The token is inserted only if this is still the user's password hash, and a password is still enough
   * (`needsSecondFactor`): otherwise `password_changed`.
   */
  readonly verifiedHash: PasswordHash;
  /**
   * Whether to refuse a key that is no longer active. True if the key was not read for this token, but for an earlier
   * one.
   */
  readonly needsActiveKey: boolean;
  readonly keep: number;
}

/** The bound on a user's live sign-in tokens: how many are kept, and how many one call revokes at most. */
export interface SignInBound {
  readonly userId: UserId;
  readonly keep: number;
  readonly limit: number;
}

export interface EndedTokens {
  readonly endedBefore: Instant;
  readonly limit: number;
}
