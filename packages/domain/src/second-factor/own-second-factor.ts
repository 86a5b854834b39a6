import { authorized, type Principal, USE_OWN_SECOND_FACTOR } from '../access/index.ts';
import { eventBy } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { isPasswordFresh } from '../sessions/session.ts';
import { type OwnPassword, type OwnPasswordPorts, withOwnPassword } from '../sessions/with-own-password.ts';
import type { OwnFactor } from './enrol-second-factor.ts';
import { formatRecoveryCode } from './recovery-code.ts';
import { secondFactorEvent } from './second-factor-events.ts';
import type { SecondFactorDemanded, SecondFactorNotEnrolled } from './second-factor-repository.ts';

/** Returns when the caller enrolled a second factor, how many recovery codes are left, and the last reset, if any. */
export const showOwnSecondFactor = authorized(
  USE_OWN_SECOND_FACTOR,
  ({ secondFactors }: Ports<'secondFactors'>) =>
    async ({ userId }: Principal) => {
      const stored = await secondFactors.find(userId);
      const lastReset = await secondFactors.findLastReset(userId);
      const enrolled = stored && {
        enrolledAt: stored.enrolledAt,
        recoveryCodesLeft: stored.recoveryCodesLeft,
      };
      return ok({ enrolled, lastReset });
    },
);

/**
 * Replaces all recovery codes of the caller, who must have given password and code recently. Returns the new ones, which
 * are shown once.
 */
export const newRecoveryCodes = authorized(
  USE_OWN_SECOND_FACTOR,
  ({ secondFactors, secondFactorSecrets, clock }: Ports<'secondFactors' | 'secondFactorSecrets' | 'clock'>) =>
    async (caller: Principal, { user, session }: OwnFactor) => {
      const at = clock.now();
      if (!isPasswordFresh(session, at)) return err({ code: 'password_not_fresh' });
      const stored = await secondFactors.find(user.id);
      if (!stored) return err({ code: 'second_factor_not_enrolled' });
      const codes = secondFactorSecrets.createRecoveryCodes();
      const replaced = await secondFactors.replaceRecoveryCodes(
        user.id,
        codes.map(secondFactorSecrets.hashOfRecoveryCode),
        { enrolledAt: stored.enrolledAt, sessionId: session.id },
        eventBy(caller, secondFactorEvent(at, 'user.recovery_codes_made', user)),
      );
      return replaced.ok ? ok({ recoveryCodes: codes.map(formatRecoveryCode) }) : replaced;
    },
);

/**
 * Removes the caller's second factor after verifying password and code. The session gets a new secret. Refused while the
 * account demands a second factor from the caller.
 */
export const removeOwnSecondFactor = authorized(
  USE_OWN_SECOND_FACTOR,
  (ports: OwnPasswordPorts & Ports<'secondFactors'>) => async (caller: Principal, input: OwnPassword) =>
    withOwnPassword<SecondFactorNotEnrolled | SecondFactorDemanded>(
      ports,
      caller,
      input,
      async ({ user, passwordHash: verifiedHash, ...credentials }, renewal) => {
        const { enrolledAt } = credentials.secondFactor;
        if (enrolledAt === null) return err({ code: 'second_factor_not_enrolled' });
        const guard = { enrolledAt, sessionId: input.sessionId, verifiedHash, renewal };
        const event = secondFactorEvent(ports.clock.now(), 'user.second_factor_removed', user);
        return ports.secondFactors.remove(user.id, guard, eventBy(caller, event));
      },
    ),
);
