import type { SealedSecret } from '../signing-keys/signing-key.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';
import type { PasswordHash } from '../users/password-hasher.ts';
import type { Role, User, UserId } from '../users/user.ts';
import type { PendingSecretHash } from './second-factor-secrets.ts';

export const SECOND_FACTOR_POLICIES = ['optional', 'admins'] as const;

/** Who of an account must have a second factor to sign in with a password: no user (`optional`), or its admins. */
export type SecondFactorPolicy = (typeof SECOND_FACTOR_POLICIES)[number];

/** The facts about the second factor of a user on which a sign-in depends, from the same read as the user. */
export interface SecondFactorState {
  /**
   * When the user enrolled the second factor; null if there is none. It also tells one enrolment from another: a change
   * that was verified against one enrolment is refused after the next one.
   */
  readonly enrolledAt: Instant | null;
  readonly policy: SecondFactorPolicy;
}

/** The state of a user who has no second factor, and of whom none is demanded. */
export const NO_SECOND_FACTOR: SecondFactorState = { enrolledAt: null, policy: 'optional' };

/** Whether the policy of the account demands a second factor from a user with this role. */
export function demandsSecondFactor({ policy }: Pick<SecondFactorState, 'policy'>, role: Role): boolean {
  return policy === 'admins' && role === 'admin';
}

/**
 * Whether a password alone is not enough for this user. The API has no place for a second factor, so it refuses such
 * users.
 */
export function needsSecondFactor(state: SecondFactorState, { role }: Pick<User, 'role'>): boolean {
  return state.enrolledAt !== null || demandsSecondFactor(state, role);
}

/** The second factor of a user as it is stored. */
export interface SecondFactor {
  readonly userId: UserId;
  /** The secret of the app, encrypted under the master key with `secondFactorKeyId`. */
  readonly sealedSecret: SealedSecret;
  readonly enrolledAt: Instant;
}

/** Binds an encrypted secret to its user: a secret that is moved to the row of another user cannot be decrypted. */
export const secondFactorKeyId = (userId: UserId): string => `second-factor:${userId}`;

/** After this many wrong codes within `WRONG_WINDOW_MS`, no code is accepted for a while. */
export const MAX_WRONG_CODES = 5;

/** 15 minutes. */
export const WRONG_WINDOW_MS = 15 * 60_000;

/** Returns the time until which no code is accepted; undefined if codes are accepted. @param wrong oldest first */
export function pausedUntil(wrong: readonly Instant[], now: Instant): Instant | undefined {
  const recent = recentWrong(wrong, now);
  const first = recent.at(-MAX_WRONG_CODES);
  return first === undefined ? undefined : addMilliseconds(first, WRONG_WINDOW_MS);
}

/** Returns the times of wrong codes that still count, oldest first. There are never more than `MAX_WRONG_CODES`. */
export function recentWrong(wrong: readonly Instant[], now: Instant): readonly Instant[] {
  return wrong.filter((at) => at > addMilliseconds(now, -WRONG_WINDOW_MS)).slice(-MAX_WRONG_CODES);
}

/** How long a sign-in waits for the code after the right password, in milliseconds: 10 minutes. */
export const PENDING_SIGN_IN_MS = 10 * 60_000;

/** A sign-in whose password was right, and that waits for the code of the second factor. */
export interface PendingSignIn {
  readonly secretHash: PendingSecretHash;
  readonly userId: UserId;
  /** The hash of the password that was right. The sign-in ends if the user gets another one. */
  readonly verifiedHash: PasswordHash;
  /** The enrolment whose code is asked for. The sign-in ends if the user gets another one, or none. */
  readonly enrolledAt: Instant;
  readonly createdAt: Instant;
}
