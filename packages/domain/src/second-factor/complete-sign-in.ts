import { isPasswordOpen, type PasswordOpenPorts } from '../break-glass/is-password-open.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { type OpenedSession, type StoreSessionPorts, storeSession } from '../sessions/store-session.ts';
import { attemptOf } from '../sign-in/sign-in-throttle.ts';
import { addMilliseconds, type Instant } from '../time/instant.ts';
import type { Email } from '../users/email.ts';
import type { User } from '../users/user.ts';
import { type ProvePorts, proveSecondFactor } from './prove-second-factor.ts';
import { PENDING_SIGN_IN_MS } from './second-factor.ts';
import type { Proved, SecondFactorPaused, SecondFactorWrong } from './second-factor-repository.ts';
import { type PendingSecretHash, parsePendingSecret } from './second-factor-secrets.ts';

/** The error if the sign-in waits no longer for a code: the user has to begin again with the password. */
export type SignInExpired = { readonly code: 'sign_in_expired' };

export type CompleteSignInError = SignInExpired | SecondFactorWrong | SecondFactorPaused;

type FindPorts = Ports<'secondFactors' | 'secondFactorSecrets' | 'clock' | 'onBehalf'> & PasswordOpenPorts;

export type CompleteSignInPorts = FindPorts & ProvePorts & StoreSessionPorts & Ports<'throttle'>;

interface PendingInput {
  /** The value of the cookie. */
  readonly secret: string;
  /** The client's IP address. */
  readonly address: string;
}

interface CompleteSignInInput extends PendingInput {
  readonly code: string;
  readonly userAgent: string | null;
  /** A function that is called with the email of the user. Only the log needs it. */
  readonly onUser?: (email: Email) => void;
}

/** A session that was opened with password and code. */
export type CompletedSignIn = OpenedSession & Proved;

/** Finds the user whose sign-in waits for a code. Changes nothing. */
export function findPendingSignIn(ports: FindPorts) {
  return async (input: PendingInput): Promise<Result<User, SignInExpired>> => {
    const found = await findPending(ports, input);
    return found ? ok(found.user) : err({ code: 'sign_in_expired' });
  };
}

/**
 * Opens the session of a sign-in whose password was right, if the code is right, too. The waiting ends with the session:
 * one password opens one session. A wrong code does not end it, and after too many the second factor pauses.
 */
export function completeSignIn(ports: CompleteSignInPorts) {
  return async (input: CompleteSignInInput): Promise<Result<CompletedSignIn, CompleteSignInError>> => {
    const { code, address, userAgent } = input;
    const found = await findPending(ports, input);
    if (!found) return err({ code: 'sign_in_expired' });
    const { user, pending } = found;
    input.onUser?.(user.email);
    const { enrolledAt, verifiedHash } = pending;
    const proved = await proveSecondFactor(ports, { user, enrolledAt, code, address });
    if (!proved.ok) {
      return proved.error.code === 'second_factor_not_enrolled'
        ? err({ code: 'sign_in_expired' })
        : err(proved.error);
    }
    if (!(await ports.secondFactors.takePending(pending.secretHash))) return err({ code: 'sign_in_expired' });
    const guard = { verifiedHash, secondFactorAt: enrolledAt };
    const stored = await storeSession(ports, user, { address, userAgent }, guard);
    // The password or the second factor was changed, or the user disabled, since the row was read.
    if (!stored.ok) return err({ code: 'sign_in_expired' });
    await ports.throttle.succeeded(attemptOf(user.email, address));
    return ok({ ...stored.value, ...proved.value });
  };
}

/** Finds none if passwords were turned off for the user after the password was accepted. */
async function findPending(ports: FindPorts, { secret, address }: PendingInput) {
  const parsed = parsePendingSecret(secret);
  if (parsed === undefined) return undefined;
  const { secondFactors, secondFactorSecrets, onBehalf, clock } = ports;
  const hash: PendingSecretHash = secondFactorSecrets.hashOfPending(parsed);
  const since: Instant = addMilliseconds(clock.now(), -PENDING_SIGN_IN_MS);
  return onBehalf.ofClient(address, async () => {
    const found = await secondFactors.findPending(hash, since);
    return found && (await isPasswordOpen(ports, found.user, { isOnPage: true })) ? found : undefined;
  });
}
