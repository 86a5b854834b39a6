import type { NotAllowed } from '../access/authorize.ts';
import type { Account, AccountId } from '../accounts/account.ts';
import type { AccountNotFound } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { ChangeOutcome, Result } from '../result.ts';
import type { SessionId } from '../sessions/session.ts';
import type { SessionNotFound } from '../sessions/session-repository.ts';
import type { SecretRenewal } from '../sessions/session-secrets.ts';
import type { SealedSecret } from '../signing-keys/signing-key.ts';
import type { KeysChanged, Witness } from '../signing-keys/signing-key-repository.ts';
import type { Instant } from '../time/instant.ts';
import type { PasswordChanged, PasswordHash } from '../users/password-hasher.ts';
import type { User, UserId } from '../users/user.ts';
import type { UserNotFound } from '../users/user-repository.ts';
import type { RecoveryCodeHash } from './recovery-code.ts';
import type { PendingSignIn, SecondFactor, SecondFactorPolicy } from './second-factor.ts';
import type { PendingSecretHash } from './second-factor-secrets.ts';

/** The error if the user has no second factor, or enrolled another one meanwhile. */
export type SecondFactorNotEnrolled = { readonly code: 'second_factor_not_enrolled' };

/** The error if the user already has a second factor. */
export type SecondFactorEnrolled = { readonly code: 'second_factor_enrolled' };

/** The error if the account demands a second factor from the user, who therefore cannot remove it. */
export type SecondFactorDemanded = { readonly code: 'second_factor_demanded' };

/** The error if the code is wrong, or was used before. */
export type SecondFactorWrong = { readonly code: 'second_factor_wrong' };

/** The error after too many wrong codes. The account and its tokens are not affected. */
export interface SecondFactorPaused {
  readonly code: 'second_factor_paused';
  readonly retryAfterSeconds: number;
}

export type ProofRefusal = SecondFactorWrong | SecondFactorPaused | SecondFactorNotEnrolled;

/** A code that a user entered: the steps at which it is right, if any; or the hash of a recovery code. */
export type Proof = { readonly steps: readonly number[] } | { readonly recoveryHash: RecoveryCodeHash };

/** A proof that was accepted. */
export interface Proved {
  readonly usedRecoveryCode: boolean;
  readonly recoveryCodesLeft: number;
}

/** A second factor whose code of the step `lastStep` confirmed it. */
export interface NewSecondFactor extends SecondFactor {
  readonly lastStep: number;
}

export interface StoredSecondFactor extends SecondFactor {
  readonly recoveryCodesLeft: number;
}

/** The last reset of a user's second factor by the operator. */
export interface SecondFactorReset {
  readonly at: Instant;
  readonly reason: string;
}

/** An encrypted secret that replaces another one of the same user. */
export interface FactorResealing {
  readonly userId: UserId;
  readonly from: SealedSecret;
  readonly to: SealedSecret;
}

interface OwnChange {
  /** The enrolment that was verified. */
  readonly enrolledAt: Instant;
  readonly sessionId: SessionId;
}

/** Conditions of a change for which the user gave password and code. */
export interface RemovalGuard extends OwnChange {
  readonly verifiedHash: PasswordHash;
  readonly renewal: SecretRenewal;
}

/**
 * Stores second factors, the sign-ins that wait for a code, and which accounts demand one. Each change and its audit
 * event are one atomic step. Implementations pass `secondFactorRepositoryContract`.
 */
export interface SecondFactorRepository {
  find(userId: UserId): Promise<StoredSecondFactor | undefined>;

  /**
   * Stores the second factor of a user who has none, with the hashes of its recovery codes. The user's other sessions
   * that a password opened ask for it again, and so for a code. Refuses if the session has ended. Refuses if the stored
   * secret of the witness has changed: the master key was replaced meanwhile.
   */
  enrol(
    factor: NewSecondFactor,
    recoveryCodes: readonly RecoveryCodeHash[],
    guard: { readonly sessionId: SessionId; readonly witness: Witness },
    event: AuditEvent,
  ): Promise<Result<void, SecondFactorEnrolled | SessionNotFound | KeysChanged>>;

  /**
   * Accepts a code once, or counts it as wrong. A step is accepted only if it is later than the last accepted one, and a
   * recovery code is deleted. After `MAX_WRONG_CODES` within `WRONG_WINDOW_MS`, nothing is accepted or counted until the
   * pause ends. An accepted code forgets the wrong ones. Each call waits for the calls before it, on all servers.
   *
   * @param audit makes the event of a recovery code that was used, or of a pause that begins (`left` is undefined)
   */
  prove(
    of: Pick<SecondFactor, 'userId' | 'enrolledAt'>,
    proof: Proof,
    at: Instant,
    audit: (left?: number) => AuditEvent,
  ): Promise<Result<Proved, ProofRefusal>>;

  /** Replaces all recovery codes of the user. Refuses if the session has ended. */
  replaceRecoveryCodes(
    userId: UserId,
    recoveryCodes: readonly RecoveryCodeHash[],
    guard: OwnChange,
    event: AuditEvent,
  ): Promise<Result<void, SecondFactorNotEnrolled | SessionNotFound>>;

  /**
   * Removes the user's second factor, and replaces the secret of the session. Refuses a user from whom the account
   * demands one when the change is made.
   */
  remove(
    userId: UserId,
    guard: RemovalGuard,
    event: AuditEvent,
  ): Promise<
    Result<void, SecondFactorNotEnrolled | SecondFactorDemanded | SessionNotFound | PasswordChanged>
  >;

  /**
   * Removes the second factor of a user for the operator, and notes it for the user. Sign-ins that wait for a code end.
   */
  reset(
    userId: UserId,
    reset: SecondFactorReset,
    event: AuditEvent,
  ): Promise<Result<User, UserNotFound | SecondFactorNotEnrolled>>;

  findLastReset(userId: UserId): Promise<SecondFactorReset | undefined>;

  findPolicy(accountId: AccountId): Promise<SecondFactorPolicy | undefined>;

  /**
   * Sets whether the account demands second factors. If it already does so, changes nothing and records no event.
   * Returns `not_allowed` if the user whom the event names as its actor is no longer an active admin of the account.
   */
  setPolicy(
    accountId: AccountId,
    policy: SecondFactorPolicy,
    audit: (before: SecondFactorPolicy) => AuditEvent,
  ): Promise<Result<ChangeOutcome & { readonly account: Account }, AccountNotFound | NotAllowed>>;

  insertPending(pending: PendingSignIn): Promise<void>;

  /**
   * Finds a sign-in that waits for a code and its user. Finds none that was created before `createdAfter`, whose user
   * has another password or another second factor, or whose user or account is not active.
   */
  findPending(
    hash: PendingSecretHash,
    createdAfter: Instant,
  ): Promise<{ readonly pending: PendingSignIn; readonly user: User } | undefined>;

  /** Ends the waiting, and returns whether it had not ended before. Only one of several calls returns true. */
  takePending(hash: PendingSecretHash): Promise<boolean>;

  /** Deletes up to `limit` waiting sign-ins that were created before this time, and returns their number. */
  sweepPending(options: { readonly createdBefore: Instant; readonly limit: number }): Promise<number>;

  /** Returns one page of the stored second factors, sorted by user and starting after `after`. */
  list(page: {
    readonly after?: UserId | undefined;
    readonly limit: number;
  }): Promise<readonly SecondFactor[]>;

  /**
   * Replaces encrypted secrets. A secret that is no longer the stored one (`from`) was removed or replaced meanwhile, and
   * stays. The replacement survives a crash once it is acknowledged.
   */
  reseal(resealings: readonly FactorResealing[]): Promise<void>;
}
