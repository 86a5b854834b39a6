import type { Account } from '../accounts/account.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { LinkedIdentity } from '../identity-providers/linked-identity.ts';
import type { ChangeOutcome, Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { User, UserId } from '../users/user.ts';
import type { UserNotFound } from '../users/user-repository.ts';

/** Whether the users of an account whose admins sign in with a provider may sign in with a password. */
export type PasswordSignIn = 'on' | 'break-glass';

/** An operator opens a password for at most 24 hours, in milliseconds. */
export const MAX_OPEN_MS = 86_400_000;

/** The facts that decide about the password of a user while passwords are off. */
export interface PasswordGate {
  /** When an admin of the user's account first signed in with a provider; null if none did. */
  readonly providerAdminAt: Instant | null;
  /** Until when the operator opened the user's password; null if it never was. */
  readonly openUntil: Instant | null;
}

type Changed = ChangeOutcome & { readonly user: User };

/** The users and accounts that an operator has to look at, each list with up to the asked number of items, sorted by id. */
export interface SignInConcerns {
  /** The users whose password is open now. */
  readonly armed: readonly { readonly user: User; readonly until: Instant }[];
  /** The active users marked for emergencies who cannot sign in, because they have no password. */
  readonly withoutPassword: readonly User[];
  /** The active users as whom a person with another identity tried to sign in since `since`. */
  readonly otherIdentities: readonly User[];
  /** The active admins whom a provider would make members, if they were not the last admin of the account. */
  readonly keptAdmins: readonly User[];
  /** The accounts whose admins sign in with a provider, and that have no active admin marked for emergencies. */
  readonly withoutBreakGlass: readonly Account[];
}

/**
 * Stores what an operator says about the sign-ins of persons. Each change and its audit events are one atomic step.
 * Service accounts are not found. Implementations pass `breakGlassContract`.
 */
export interface BreakGlass {
  /** Reads the facts about a user; all are null for an unknown one. */
  findGate(user: Pick<User, 'id' | 'accountId'>): Promise<PasswordGate>;

  /**
   * Marks the user for emergencies: unlinks all identities, ends the sessions that they opened, and removes the time
   * until which the user is confirmed. A user who is marked is never linked.
   */
  mark(
    id: UserId,
    at: Instant,
    audit: {
      readonly marked: (user: User) => AuditEvent;
      readonly unlinked: (user: User, identity: LinkedIdentity) => AuditEvent;
    },
  ): Promise<Result<Changed, UserNotFound>>;

  unmark(id: UserId, audit: (user: User) => AuditEvent): Promise<Result<Changed, UserNotFound>>;

  /**
   * Opens the password of the user until a time, or closes it (`until` null). `already`: it was to be closed and is not
   * open at this time.
   */
  arm(
    id: UserId,
    until: Instant | null,
    at: Instant,
    audit: (user: User) => AuditEvent,
  ): Promise<Result<Changed, UserNotFound>>;

  /** Notes that the address is the user's. An earlier proof stays as it is. */
  proveEmail(
    id: UserId,
    at: Instant,
    audit: (user: User) => AuditEvent,
  ): Promise<Result<Changed, UserNotFound>>;

  findConcerns(options: {
    readonly at: Instant;
    readonly since: Instant;
    readonly limit: number;
  }): Promise<SignInConcerns>;
}
