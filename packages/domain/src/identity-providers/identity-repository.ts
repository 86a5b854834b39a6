import type { NotAllowed } from '../access/authorize.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { Result } from '../result.ts';
import type { Session } from '../sessions/session.ts';
import type { NewSession, SessionBound } from '../sessions/session-repository.ts';
import type { SecretRenewal } from '../sessions/session-secrets.ts';
import type { Instant } from '../time/instant.ts';
import type { PasswordHash } from '../users/password-hasher.ts';
import type { Role, User, UserId } from '../users/user.ts';
import type { UserNotFound } from '../users/user-repository.ts';
import type { AttemptPurpose } from './attempt.ts';
import type { LinkedIdentity, SignInMeans } from './linked-identity.ts';
import type { Decision, PersonFacts } from './person-facts.ts';
import type { Identity } from './proven-person.ts';

/** The error if the user has no identity to unlink. */
export type IdentityNotFound = { readonly code: 'identity_not_found' };

/** The error if the user would have no way to sign in, because the user has no password. */
export type PasswordMissing = { readonly code: 'password_missing' };

/** A person whom a provider has proved, and what is done if the decision allows it. */
export interface Settlement {
  readonly person: Identity & { readonly email: string | null };
  readonly purpose: AttemptPurpose;
  readonly at: Instant;
  /** The session to open, for a sign-in or an invitation. */
  readonly session: Omit<NewSession, 'userId'>;
  readonly bound: SessionBound;
  /** The new secret of the session that is confirmed; undefined for other purposes. */
  readonly renewal: SecretRenewal | undefined;
  /** The account in which the person may become a user; null for none. */
  readonly newUsersIn: AccountId | null;
  /** The hash of a password that no one knows, for a new user. */
  readonly unknownPassword: PasswordHash | undefined;
}

/** Makes the events of a settlement. */
export interface SettlementAudit {
  refused(reason: string, about: User): AuditEvent;
  /** `invitation`: the invitation that the user accepted, if there is one. */
  created(user: User, invitation: Extract<Decision, { outcome: 'new' }>['invitation']): readonly AuditEvent[];
  linked(user: User): AuditEvent;
  roleSet(before: User, role: Role): AuditEvent;
  demotionRefused(user: User): AuditEvent;
  sessionCreated(user: User): AuditEvent;
  sessionEnded(user: User, oldest: Session): AuditEvent;
}

export type Settled =
  | Extract<Decision, { outcome: 'refused' }>
  | { readonly outcome: 'settled'; readonly user: User; readonly isNew: boolean };

/**
 * Stores which identities belong to which users. A change and its audit events are one atomic step, under the locks of
 * the accounts and users that it concerns.
 * Implementations pass `identityRepositoryContract`.
 */
export interface IdentityRepository {
  /** Finds the user to whom exactly this issuer and subject are linked. */
  findUser(identity: Identity): Promise<UserId | undefined>;

  /** Returns how the user can sign in; undefined if no person has this id. The identities are sorted by their age. */
  findMeans(id: UserId): Promise<SignInMeans | undefined>;

  /**
   * Reads the facts about the person, lets `decide` decide, and carries the decision out in the same transaction. No
   * fact changes in between: an identity that is linked twice at once, a user who is disabled and an admin who is
   * demoted wait for each other.
   *
   * `refused`: stores the event, if the refusal concerns a user. With `endsConfirmation`, the user
   * was last confirmed in 1970 (`NOT_CONFIRMED`), so that a rule of the account about confirmations takes effect.
   * `known` and `new`: creates the user or links the identity, and sets the role, as `UserRepository.setRole` does. The
   * role of the last admin stays, with an event `demotionRefused`. Notes the confirmation and the address. Then, by the
   * purpose, opens the session like `SessionRepository.insert`, or replaces the secret of the confirmed session and
   * sets its `passwordGivenAt`. A session that has ended or has another secret is `attempt_of_other_browser`.
   * The first admin who signs in with a provider is noted in the account. `user_has_other_identity` and the kept role of
   * a last admin are noted for `BreakGlass.findConcerns`, until an identity of the user is unlinked, and until the
   * provider and Gatehouse agree about the role.
   */
  settle(
    settlement: Settlement,
    decide: (facts: PersonFacts) => Decision,
    audit: SettlementAudit,
  ): Promise<Settled>;

  /**
   * Unlinks identities of the user, all or those of one issuer, and ends the sessions that they opened. If the user has
   * no password, only the operator may: `mayLackPassword`. Keeps until when the user is confirmed, so that no one gets
   * around the rule about old confirmations. Returns the unlinked identities.
   */
  unlink(
    target: {
      readonly userId: UserId;
      readonly issuer?: string | undefined;
      readonly mayLackPassword: boolean;
    },
    audit: (user: User, identity: LinkedIdentity) => AuditEvent,
  ): Promise<
    Result<readonly LinkedIdentity[], NotAllowed | UserNotFound | IdentityNotFound | PasswordMissing>
  >;
}
