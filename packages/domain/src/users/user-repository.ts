import type { Account, AccountId } from '../accounts/account.ts';
import type { AccountNotFound, InAccount } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { PageById } from '../paging.ts';
import type { ChangeOutcome, Result } from '../result.ts';
import type { SessionId } from '../sessions/session.ts';
import type { SessionNotFound } from '../sessions/session-repository.ts';
import type { SecretRenewal } from '../sessions/session-secrets.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenDetails } from '../tokens/administration/token-status.ts';
import type { Revocation } from '../tokens/token.ts';
import type { Email } from './email.ts';
import type { PasswordForm } from './normal-password.ts';
import type { PasswordChanged, PasswordHash } from './password-hasher.ts';
import type { RenamedToken, TransferNamesTaken } from './token-transfer.ts';
import type { Role, User, UserId } from './user.ts';

type NewUser = Omit<User, 'id' | 'disabledAt'> & {
  /** A hash of the normal form of the password. */
  readonly passwordHash: PasswordHash;
};

/** The facts that a sign-in verifies, from one consistent read. */
export interface Credentials {
  readonly user: User;
  readonly account: Account;
  readonly passwordHash: PasswordHash;
  /** The form of the hashed password; `as-typed` if a version before normal forms stored it. */
  readonly passwordForm: PasswordForm;
}

/** Whether the user is not disabled and the account not suspended. */
export function isActive({ user, account }: Pick<Credentials, 'user' | 'account'>): boolean {
  return user.disabledAt === null && account.suspendedAt === null;
}

/**
 * The address of a user who is stored under another key than its `emailKey`: another user had that key before keys were
 * stable, or a server of such a version created the user.
 */
export interface StrayEmail {
  readonly email: Email;
  /** The address of the user who has the key. */
  readonly sharedWith: Email | null;
}

export type UserNotFound = { readonly code: 'user_not_found' };

type EmailTaken = { readonly code: 'email_taken' };

/** The last active admin of an account can be neither disabled nor demoted. */
type LastAdmin = { readonly code: 'last_admin' };

type ChangedUser = ChangeOutcome & { readonly user: User };

/** A disabled user, and what happened to the user's tokens. */
export interface DisabledUser extends ChangedUser {
  /** The number of API tokens that were transferred. */
  readonly transferred: number;
  /** The tokens that were renamed because the new owner already used their names, sorted. */
  readonly renamed: readonly RenamedToken[];
  /** The number of tokens that were revoked. */
  readonly revoked: number;
}

/** Tokens can be transferred only to another active admin of the same account. */
export type TransferTargetNotFit = { readonly code: 'transfer_target_not_fit' };

/**
 * Stores users and their password hashes. Each change and its audit event are one atomic step.
 * Implementations pass `userRepositoryContract`.
 */
export interface UserRepository {
  /** Inserts a user. Emails are unique by their key across all accounts. `audit` runs in the same transaction. */
  insert(
    user: NewUser,
    audit: (created: User) => AuditEvent,
  ): Promise<Result<User, EmailTaken | AccountNotFound>>;

  findById(id: UserId): Promise<User | undefined>;

  /**
   * Finds a user by an address as it was typed: by its `formerEmailKey` if a user is stored under that, otherwise by its
   * `emailKey`. So two users with the same `emailKey` are both found, as before keys were stable.
   */
  findByEmail(email: string): Promise<User | undefined>;

  /** Finds the credentials of a user by an address, like `findByEmail`. */
  findCredentials(email: string): Promise<Credentials | undefined>;

  /** Returns one page of the users of one or all accounts, sorted by id and starting after `after`. */
  list(page: PageById<UserId> & InAccount): Promise<readonly User[]>;

  /** Lists the account's admins who are not disabled, by id, at most `limit`. */
  listAdmins(accountId: AccountId, limit: number): Promise<readonly User[]>;

  /** Lists users who are stored under another key than the `emailKey` of their address, by id, at most `limit`. */
  listStrayEmails(limit: number): Promise<readonly StrayEmail[]>;

  /** Lists the user's live tokens at this time: API tokens first, and the next to expire first. */
  listLiveTokens(
    id: UserId,
    options: { readonly at: Instant; readonly limit: number },
  ): Promise<readonly TokenDetails[]>;

  /**
   * Disables the user, permanently revokes all of the user's tokens and ends all of the user's sessions, after waiting for
   * transactions that insert tokens or sessions, so that none escapes. A user who is already disabled is not changed. Tokens
   * that expired longer ago than `CLOCK_TOLERANCE_MS` are not changed, because every machine refuses them already.
   *
   * With `transferTo`, the live API tokens get that user as their owner instead, each with an event `token.transferred`; their
   * subject stays. Tokens whose name the new owner already uses are renamed by `renamesForTransfer`; without `renameTaken`,
   * the call is refused and changes nothing.
   */
  disable(
    id: UserId,
    revocation: Revocation,
    event: AuditEvent,
    options?: { readonly transferTo?: UserId; readonly renameTaken?: boolean },
  ): Promise<Result<DisabledUser, UserNotFound | LastAdmin | TransferTargetNotFit | TransferNamesTaken>>;

  /** Enables a disabled user. Tokens that were revoked stay revoked. Records no event if the user is already enabled. */
  enable(id: UserId, event: AuditEvent): Promise<Result<ChangedUser, UserNotFound>>;

  /**
   * Changes the role. The user's sessions continue, but the renewal of their secrets is due, and the password has to be given
   * again. If the user already has the role, this changes nothing and records no event. `audit` gets the user before the
   * change.
   */
  setRole(
    id: UserId,
    role: Role,
    audit: (before: User) => AuditEvent,
  ): Promise<Result<ChangedUser, UserNotFound | LastAdmin>>;

  /**
   * Sets a new password, revokes the user's sign-in tokens as `disable` does and ends all of the user's sessions, after
   * waiting for sign-ins in progress. The hash is of the password's normal form. Returns the number of revoked live tokens.
   */
  setPassword(
    id: UserId,
    hash: PasswordHash,
    revocation: Revocation,
    event: AuditEvent,
  ): Promise<Result<{ readonly user: User; readonly signedOut: number }, UserNotFound>>;

  /**
   * Sets a new password like `setPassword`, but keeps one session and replaces the secret of that session. Refuses if the
   * stored hash is no longer the verified one, or the session has ended or got another secret meanwhile.
   */
  changePassword(
    id: UserId,
    hash: PasswordHash,
    guard: {
      readonly verifiedHash: PasswordHash;
      readonly kept: SessionId;
      readonly renewal: SecretRenewal;
    },
    revocation: Revocation,
    event: AuditEvent,
  ): Promise<Result<void, PasswordChanged | SessionNotFound>>;

  /**
   * Stores another hash of the same password, with its form, if the stored hash is still the verified one. `hash` and
   * `verified` are equal if only the form is recorded.
   */
  replacePasswordHash(
    id: UserId,
    hashes: { readonly verified: PasswordHash; readonly hash: PasswordHash; readonly form: PasswordForm },
  ): Promise<void>;
}
