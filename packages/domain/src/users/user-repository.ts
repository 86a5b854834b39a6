import type { Account, AccountId } from '../accounts/account.ts';
import type { AccountNotFound } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { PageById } from '../paging.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenDetails } from '../tokens/administration/token-status.ts';
import type { Revocation } from '../tokens/token.ts';
import type { Email, EmailKey } from './email.ts';
import type { PasswordHash } from './password-hasher.ts';
import type { RenamedToken } from './token-transfer.ts';
import type { Role, User, UserId } from './user.ts';

export interface NewUser {
  readonly accountId: AccountId;
  readonly email: Email;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: PasswordHash;
  readonly createdAt: Instant;
}

/** What a sign-in needs to know, read in one step. */
export interface Credentials {
  readonly user: User;
  readonly account: Account;
  readonly passwordHash: PasswordHash;
}

export interface UserNotFound {
  readonly code: 'user_not_found';
}

export interface EmailTaken {
  readonly code: 'email_taken';
}

/** The last active admin of an account can be neither disabled nor demoted. */
export interface LastAdmin {
  readonly code: 'last_admin';
}

/** A user after a change that may have been made before. */
export interface ChangedUser {
  readonly user: User;
  /** It was so before; nothing changed. */
  readonly already: boolean;
}

/** A user that was disabled, and what became of the tokens. */
export interface DisabledUser extends ChangedUser {
  /** How many API tokens another admin has now. */
  readonly transferred: number;
  /** The names that were changed because the new owner had them, sorted. */
  readonly renamed: readonly RenamedToken[];
  /** How many tokens ended with the user. */
  readonly revoked: number;
}

/** A user's tokens can be given to another active admin of the same account only. */
export interface TransferTargetNotFit {
  readonly code: 'transfer_target_not_fit';
}

/** The new owner has live API tokens of these names. */
export interface TransferNamesTaken {
  readonly code: 'transfer_names_taken';
  readonly names: readonly string[];
}

/**
 * Users and their password hashes at rest. Each change and its audit event are one atomic step.
 * Implementations pass `userRepositoryContract`.
 */
export interface UserRepository {
  /** Emails are unique by their key over all accounts. `audit` runs in the same transaction. */
  insert(
    user: NewUser,
    audit: (created: User) => AuditEvent,
  ): Promise<Result<User, EmailTaken | AccountNotFound>>;

  findById(id: UserId): Promise<User | undefined>;

  findByEmail(email: EmailKey): Promise<User | undefined>;

  findCredentials(email: EmailKey): Promise<Credentials | undefined>;

  /** One page of the users of one account, or of all, by id: those after `after`. */
  list(page: PageById<UserId> & { readonly accountId?: AccountId }): Promise<readonly User[]>;

  /** The user's tokens that are neither revoked nor expired at this moment: API tokens first, the next to expire first. */
  listLiveTokens(
    id: UserId,
    options: { readonly at: Instant; readonly limit: number },
  ): Promise<readonly TokenDetails[]>;

  /**
   * Disables the user and revokes all of the user's tokens for good, waiting for tokens that are just
   * being made, so that none outlives it. A user that is disabled already is left as it is. Tokens that
   * expired longer ago than `CLOCK_TOLERANCE_MS` are left as they are, too: nothing is gained by ending them.
   *
   * With `transferTo`, the API tokens that are neither revoked nor expired get that user as their owner
   * instead, each with an event `token.transferred`; their subject stays. Names that live API tokens of the new
   * owner hold are changed as `renamesForTransfer` says, or, without `renameTaken`, refused, and nothing changes.
   */
  disable(
    id: UserId,
    revocation: Revocation,
    event: AuditEvent,
    options?: { readonly transferTo?: UserId; readonly renameTaken?: boolean },
  ): Promise<Result<DisabledUser, UserNotFound | LastAdmin | TransferTargetNotFit | TransferNamesTaken>>;

  /** Lets a disabled user in again. What was revoked stays so. Without effect (and event) on one who is active. */
  enable(id: UserId, event: AuditEvent): Promise<Result<ChangedUser, UserNotFound>>;

  /** Without effect (and event) where the user has the role. `audit` is called with the user as before. */
  setRole(
    id: UserId,
    role: Role,
    audit: (before: User) => AuditEvent,
  ): Promise<Result<ChangedUser, UserNotFound | LastAdmin>>;

  /**
   * Sets a new password and revokes the user's sign-in tokens as `disable` does, waiting for sign-ins under way.
   * Answers with how many of them were good until then.
   */
  setPassword(
    id: UserId,
    hash: PasswordHash,
    revocation: Revocation,
    event: AuditEvent,
  ): Promise<Result<{ readonly user: User; readonly signedOut: number }, UserNotFound>>;

  /** Stores a stronger hash of the same password, only over the hash that was verified. */
  replacePasswordHash(
    id: UserId,
    hashes: { readonly verified: PasswordHash; readonly stronger: PasswordHash },
  ): Promise<void>;
}
