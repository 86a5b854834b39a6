import type { NotAllowed } from '../access/authorize.ts';
import type { Account, AccountId } from '../accounts/account.ts';
import type { AccountNotFound, InAccount } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { PageById } from '../paging.ts';
import type { ChangeOutcome, Result } from '../result.ts';
import type { SecondFactorState } from '../second-factor/second-factor.ts';
import type { SessionId } from '../sessions/session.ts';
import type { SessionNotFound, VerifiedCredentials } from '../sessions/session-repository.ts';
import type { SecretRenewal } from '../sessions/session-secrets.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenDetails } from '../tokens/administration/token-status.ts';
import type { Revocation, TokenId } from '../tokens/token.ts';
import type { Email } from './email.ts';
import type { AccountUserPage, AccountUserQuery, DisableFacts, UserDetails } from './lists/account-users.ts';
import type { PasswordForm } from './normal-password.ts';
import type { PasswordChanged, PasswordHash } from './password-hasher.ts';
import type { ResponsibleNotFit } from './service-accounts/service-account-repository.ts';
import type { RenamedToken, TransferNamesTaken, TransferRaisesRights } from './token-transfer.ts';
import type { Role, User, UserId } from './user.ts';

type NewUser = Omit<User, 'id' | 'kind' | 'disabledAt' | 'confirmedUntil'> & {
  /** A hash of the normal form of the password. */
  readonly passwordHash: PasswordHash;
};

/** The facts about a user that a sign-in checks, from one consistent read. */
export interface Credentials {
  readonly user: User;
  readonly account: Account;
  readonly passwordHash: PasswordHash;
  /**
   * The form in which the password was hashed. `as-typed` if the hash was stored by an older version of Gatehouse,
   * which did not use normal forms.
   */
  readonly passwordForm: PasswordForm;
  readonly secondFactor: SecondFactorState;
}

/** Whether the user is not disabled and the account not suspended. */
export function isActive({ user, account }: Pick<Credentials, 'user' | 'account'>): boolean {
  return user.disabledAt === null && account.suspendedAt === null;
}

/**
 * The address of a user for whom another key is stored than the `emailKey` of the address. Either another user already
 * has that key, or a server of an older version created the user.
 */
export interface StrayEmail {
  readonly email: Email;
  /** The address of the user who has this `emailKey`; null if no user has it. */
  readonly sharedWith: Email | null;
}

export type UserNotFound = { readonly code: 'user_not_found' };

type EmailTaken = { readonly code: 'email_taken' };

/**
 * The error if the user is the last person who is an active admin of the account, who can be neither disabled nor made
 * a member. Service accounts do not count.
 */
type LastAdmin = { readonly code: 'last_admin' };

type ChangedUser = ChangeOutcome & { readonly user: User };

/** A disabled user, and the numbers of the user's tokens that were transferred or revoked. */
export interface DisabledUser extends ChangedUser {
  /** The number of API tokens that were transferred. */
  readonly transferred: number;
  /** The tokens that were renamed because the new owner already used their names, sorted. */
  readonly renamed: readonly RenamedToken[];
  /** The number of tokens that were revoked. */
  readonly revoked: number;
  /** The numbers of service accounts for which the user answered, by what was done. */
  readonly serviceAccounts: Readonly<Record<'disabled' | 'given' | 'left', number>>;
}

/** The decision about a service account whose responsible person is disabled: another admin answers for it, or none. */
export type ServiceAccountFate = 'disable' | 'leave' | { readonly giveTo: UserId };

export interface DisableOptions {
  /** The user who receives the live API tokens that are not in `tokens`. Without one, these are revoked. */
  readonly transferTo?: UserId | undefined;
  /** The users who receive single API tokens. */
  readonly tokens?: ReadonlyMap<TokenId, UserId> | undefined;
  readonly renameTaken?: boolean | undefined;
  /**
   * The decision about each active service account for which the user answers; `leave` leaves all without a responsible
   * admin. Default: there must be none.
   */
  readonly serviceAccounts?: ReadonlyMap<UserId, ServiceAccountFate> | 'leave' | undefined;
}

/** The error if nothing is said about a service account for which the user answers. */
export interface ServiceAccountsUndecided {
  readonly code: 'service_accounts_undecided';
  /** Up to 100 of them. */
  readonly undecided: readonly Pick<User, 'id' | 'name'>[];
}

/** The error if tokens cannot be transferred to this user (`canReceiveTokens`). */
export type TransferTargetNotFit = { readonly code: 'transfer_target_not_fit' };

/**
 * Stores users and their password hashes. Each change and its audit event are one atomic step. `disable`, `enable` and
 * `setRole` return `not_allowed` if the user whom the event names as its actor is no longer an active admin of the
 * account when the change is made. Implementations pass `userRepositoryContract`.
 */
export interface UserRepository {
  /**
   * Inserts a user, whose address counts as proved by the operator. No two users of any accounts can have emails with the same key. `audit` is called in the same
   * transaction.
   */
  insert(
    user: NewUser,
    audit: (created: User) => AuditEvent,
  ): Promise<Result<User, EmailTaken | AccountNotFound>>;

  findById(id: UserId): Promise<User | undefined>;

  /**
   * Finds a user by an address as it was typed. Searches for the `formerEmailKey` of the address, and if no user has
   * that key, for its `emailKey`. So each of two users with the same `emailKey` is still found by their own address.
   */
  findByEmail(email: string): Promise<User | undefined>;

  /**
   * Finds the user whom `findByEmail` finds for this address, with the password hash and the account. A service account
   * is not found, because it has no password.
   */
  findCredentials(email: string): Promise<Credentials | undefined>;

  /**
   * Returns one page of the users of one account or of all accounts. The users are sorted by id, and the page starts
   * after the id `after`. With a `search`, only users whose email, or any word of whose name, begins with it.
   */
  list(
    page: PageById<UserId> & InAccount & { readonly search?: string | undefined },
  ): Promise<readonly User[]>;

  /** Returns one page of the users of an account, in an order, with facts that admins look for. */
  listOfAccount(query: AccountUserQuery): Promise<AccountUserPage>;

  /** Finds a user with the same facts, and up to `limit` organizations whose member the user is, sorted by name. */
  findDetails(
    id: UserId,
    options: { readonly at: Instant; readonly limit: number },
  ): Promise<UserDetails | undefined>;

  /** Finds what has to be decided before the user is disabled, each list with up to `limit` items. */
  findDisableFacts(
    id: UserId,
    options: { readonly at: Instant; readonly limit: number },
  ): Promise<DisableFacts | undefined>;

  /** Lists up to `limit` persons who are admins of the account and not disabled, sorted by id. */
  listAdmins(accountId: AccountId, limit: number): Promise<readonly User[]>;

  /** Lists up to `limit` users for whom another key is stored than the `emailKey` of their address, sorted by id. */
  listStrayEmails(limit: number): Promise<readonly StrayEmail[]>;

  /**
   * Lists up to `limit` tokens of the user that are live at this time. API tokens are before sign-in tokens, and of
   * each kind the token that expires soonest is first.
   */
  listLiveTokens(
    id: UserId,
    options: { readonly at: Instant; readonly limit: number },
  ): Promise<readonly TokenDetails[]>;

  /**
   * Disables the user, permanently revokes all of the user's tokens and ends all of the user's sessions. Before that,
   * waits for transactions that insert tokens or sessions of the user, so that none of these stays active. A user who
   * is already disabled is not changed. Tokens that expired longer ago than `CLOCK_TOLERANCE_MS` are not changed,
   * because every machine already refuses them.
   *
   * The live API tokens that `transfersOf` names are not revoked, but get that user as their owner. Each of them gets
   * an event `token.transferred`, and keeps its subject. If the new owner already uses the name of a token, the token
   * gets the name that `renamesForTransfer` returns, but only if `renameTaken` is true. If it is false, the call is
   * refused and changes nothing. `transferRefusal` decides who can receive tokens.
   *
   * Each active service account for which the user answers is disabled, gets another responsible admin (`canAnswer`) or
   * is left as it is, with an event for the first two. If `serviceAccounts` does not name one, the call is refused.
   */
  disable(
    id: UserId,
    revocation: Revocation,
    event: AuditEvent,
    options?: DisableOptions,
  ): Promise<
    Result<
      DisabledUser,
      | NotAllowed
      | UserNotFound
      | LastAdmin
      | TransferTargetNotFit
      | TransferRaisesRights
      | TransferNamesTaken
      | ResponsibleNotFit
      | ServiceAccountsUndecided
    >
  >;

  /**
   * Enables a disabled user. Tokens that were revoked stay revoked. Records no event if the user is already enabled.
   */
  enable(id: UserId, event: AuditEvent): Promise<Result<ChangedUser, NotAllowed | UserNotFound>>;

  /**
   * Changes the role. The user's sessions continue, but the next request of each session replaces its secret, and the
   * user has to enter the password again before making tokens. If the user already has the role, changes nothing and
   * stores no event. `audit` is called with the user as it was before the change.
   */
  setRole(
    id: UserId,
    role: Role,
    audit: (before: User) => AuditEvent,
  ): Promise<Result<ChangedUser, NotAllowed | UserNotFound | LastAdmin>>;

  /**
   * Changes the name that is shown. If the user already has the name, changes nothing and records no event. Refuses a
   * user who is disabled. `audit` is called with the user as it was before the change.
   */
  rename(
    id: UserId,
    name: string,
    audit: (before: User) => AuditEvent,
  ): Promise<Result<ChangedUser, UserNotFound>>;

  /**
   * Sets a new password, permanently revokes the user's sign-in tokens, and ends all of the user's sessions. Before
   * that, waits for sign-ins in progress, so that none of their tokens and sessions stays active. `hash` must be the
   * hash of the password's normal form. Returns the number of revoked live tokens.
   */
  setPassword(
    id: UserId,
    hash: PasswordHash,
    revocation: Revocation,
    event: AuditEvent,
  ): Promise<Result<{ readonly user: User; readonly signedOut: number }, UserNotFound>>;

  /**
   * Sets a new password, permanently revokes the user's sign-in tokens, and ends the user's sessions except one, whose
   * secret is replaced. Refuses if the credentials are no longer the verified ones (`VerifiedCredentials`), or if the
   * kept session has ended or got another secret in the meantime.
   */
  changePassword(
    id: UserId,
    hash: PasswordHash,
    guard: VerifiedCredentials & { readonly kept: SessionId; readonly renewal: SecretRenewal },
    revocation: Revocation,
    event: AuditEvent,
  ): Promise<Result<void, PasswordChanged | SessionNotFound>>;

  /**
   * Stores another hash of the same password, and the form of the hashed password. Does nothing if the stored hash is
   * no longer `verified`. If only the form changes, `hash` equals `verified`.
   */
  replacePasswordHash(
    id: UserId,
    hashes: { readonly verified: PasswordHash; readonly hash: PasswordHash; readonly form: PasswordForm },
  ): Promise<void>;
}
