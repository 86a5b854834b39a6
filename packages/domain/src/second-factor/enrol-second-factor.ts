import { authorized, type Principal, USE_OWN_SECOND_FACTOR } from '../access/index.ts';
import { eventBy } from '../audit/event-by.ts';
import { refuseWhileOlder } from '../editions/refuse-while-older.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { isPasswordFresh, type Session } from '../sessions/session.ts';
import type { SessionNotFound } from '../sessions/session-repository.ts';
import { checkMasterKey } from '../signing-keys/active-key.ts';
import { untilUnchanged } from '../signing-keys/ensure-keys.ts';
import type { MasterKeyRejected } from '../signing-keys/key-encryption.ts';
import type { SealedSecret } from '../signing-keys/signing-key.ts';
import type { KeysChanged } from '../signing-keys/signing-key-repository.ts';
import type { User } from '../users/user.ts';
import { formatRecoveryCode } from './recovery-code.ts';
import { secondFactorKeyId } from './second-factor.ts';
import { secondFactorEvent } from './second-factor-events.ts';
import type { SecondFactorEnrolled } from './second-factor-repository.ts';
import { acceptedSteps, base32, parseTotpCode } from './totp.ts';

/** The session in which the caller acts, and its user. */
export interface OwnFactor {
  readonly session: Session;
  readonly user: User;
}

/** A secret that the user has not confirmed. Nothing is stored: the browser sends it back, encrypted. */
export interface BegunEnrolment {
  /** The secret as apps take it: base32. */
  readonly secret: string;
  /** The same secret, encrypted for this session. */
  readonly sealed: SealedSecret;
}

/** The error if the user has to give the password again first. */
export type PasswordNotFresh = { readonly code: 'password_not_fresh' };

/** The error if the encrypted secret belongs to another session, or the master key was replaced: begin again. */
export type EnrolmentNotValid = { readonly code: 'enrolment_not_valid' };

const PASSWORD_NOT_FRESH: PasswordNotFresh = { code: 'password_not_fresh' };

/** Binds the secret of an enrolment to the session in which it began. */
const enrolmentKeyId = ({ session, user }: OwnFactor) => `second-factor-enrolment:${user.id}:${session.id}`;

type BeginPorts = Ports<'secondFactors' | 'secondFactorSecrets' | 'encryption' | 'editions' | 'clock'>;

/**
 * Makes the secret of a second factor for the caller, who must have given the password recently. An older server would
 * sign the user in without the second factor, so no user enrols while one is connected.
 */
export const beginEnrolment = authorized(
  USE_OWN_SECOND_FACTOR,
  (ports: BeginPorts) => async (_: Principal, own: OwnFactor) => {
    const { secondFactors, secondFactorSecrets, encryption, clock } = ports;
    if (!isPasswordFresh(own.session, clock.now())) return err(PASSWORD_NOT_FRESH);
    const known = await refuseWhileOlder(ports);
    if (!known.ok) return known;
    if (await secondFactors.find(own.user.id)) return err({ code: 'second_factor_enrolled' });
    const secret = secondFactorSecrets.createSecret();
    const sealed = await encryption.seal(secret, enrolmentKeyId(own));
    return ok<BegunEnrolment>({ secret: base32(secret), sealed });
  },
);

/** Returns the secret of an enrolment that began in this session, to show it again. */
export const findEnrolment = authorized(
  USE_OWN_SECOND_FACTOR,
  ({ encryption }: Ports<'encryption'>) =>
    async (_: Principal, { sealed, ...own }: OwnFactor & { readonly sealed: string }) => {
      const opened = await encryption.open(sealed as SealedSecret, enrolmentKeyId(own));
      if (!opened.ok) return err<EnrolmentNotValid>({ code: 'enrolment_not_valid' });
      return ok<BegunEnrolment>({ secret: base32(opened.value), sealed: sealed as SealedSecret });
    },
);

interface ConfirmInput extends OwnFactor {
  /** As `beginEnrolment` returned it. */
  readonly sealed: string;
  /** The code that the user's app shows. */
  readonly code: string;
}

type EnrolRefusal =
  | KeysChanged
  | MasterKeyRejected
  | EnrolmentNotValid
  | SecondFactorEnrolled
  | SessionNotFound;

type ConfirmPorts = BeginPorts & Ports<'signingKeys'>;

/**
 * Stores the second factor once the caller's app shows the right code, and returns the recovery codes, which are shown
 * once. The code cannot be used again. Sessions and sign-in tokens of the user stay, but other sessions that a password
 * opened must give it again with a code: a stolen password could otherwise make recovery codes of its own.
 */
export const confirmEnrolment = authorized(
  USE_OWN_SECOND_FACTOR,
  (ports: ConfirmPorts) =>
    async (caller: Principal, { code, sealed, ...own }: ConfirmInput) => {
      const { secondFactors, secondFactorSecrets, encryption, clock } = ports;
      const { user, session } = own;
      if (!isPasswordFresh(session, clock.now())) return err(PASSWORD_NOT_FRESH);
      const secret = await encryption.open(sealed as SealedSecret, enrolmentKeyId(own));
      if (!secret.ok) return err<EnrolmentNotValid>({ code: 'enrolment_not_valid' });
      const digits = parseTotpCode(code);
      const step = acceptedSteps(clock.now()).find(
        (each) => secondFactorSecrets.codeOf(secret.value, each) === digits,
      );
      if (step === undefined) return err({ code: 'second_factor_wrong' });
      const known = await refuseWhileOlder(ports);
      if (!known.ok) return known;
      const codes = secondFactorSecrets.createRecoveryCodes();
      const hashes = codes.map(secondFactorSecrets.hashOfRecoveryCode);
      const enrolledAt = clock.now();
      const event = eventBy(caller, secondFactorEvent(enrolledAt, 'user.second_factor_enrolled', user));
      const enrolled = await untilUnchanged(async (): Promise<Result<void, EnrolRefusal>> => {
        // The witness was decrypted before, so the secret is encrypted under the same master key as the signing keys.
        const witness = await checkMasterKey(ports);
        if (!witness.ok) return witness;
        if (witness.value === undefined) return err({ code: 'enrolment_not_valid' });
        const sealedSecret = await encryption.seal(secret.value, secondFactorKeyId(user.id));
        const factor = { userId: user.id, sealedSecret, enrolledAt, lastStep: step };
        const guard = { sessionId: session.id, witness: witness.value };
        return secondFactors.enrol(factor, hashes, guard, event);
      });
      return enrolled.ok ? ok({ recoveryCodes: codes.map(formatRecoveryCode) }) : enrolled;
    },
);
