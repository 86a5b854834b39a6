import type { Account, AccountId } from '../accounts/account.ts';
import type { AccountNotFound } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { Revocation } from '../tokens/token.ts';
import type { Email, EmailKey } from './email.ts';
import type { PasswordHash } from './password-hasher.ts';
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

  /** Users by id; those of one account, or all. */
  list(options: { readonly accountId?: AccountId }): Promise<readonly User[]>;

  /**
   * Disables the user and revokes all of the user's tokens for good, waiting for tokens that are just
   * being made, so that none outlives it. A user that is disabled already is left as it is.
   */
  disable(
    id: UserId,
    revocation: Revocation,
    event: AuditEvent,
  ): Promise<Result<User, UserNotFound | LastAdmin>>;

  /** Sets a new password and revokes the user's sign-in tokens, waiting for sign-ins under way. */
  setPassword(
    id: UserId,
    hash: PasswordHash,
    revocation: Revocation,
    event: AuditEvent,
  ): Promise<Result<User, UserNotFound>>;

  /** Stores a stronger hash of the same password, only over the hash that was verified. */
  replacePasswordHash(
    id: UserId,
    hashes: { readonly verified: PasswordHash; readonly stronger: PasswordHash },
  ): Promise<void>;
}
