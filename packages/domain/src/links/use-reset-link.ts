import type { AuditAction, AuditEvent } from '../audit/audit-event.ts';
import { eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, type InvalidInput, ok, type Result } from '../result.ts';
import { normalPassword } from '../users/normal-password.ts';
import { checkPassword } from '../users/password-policy.ts';
import type { User } from '../users/user.ts';
import {
  type ChoiceRefused,
  type CodeInput,
  type CodeRefusal,
  choiceRefused,
  type RedeemingPorts,
  withCode,
} from './redeeming.ts';
import type { OpenResetLink } from './reset-link.ts';

type ResetPorts = RedeemingPorts & Ports<'resetLinks' | 'clock'>;

/** Finds the password-reset link with this code, to show its user. Changes nothing. */
export function findResetLink(ports: ResetPorts) {
  return (input: CodeInput): Promise<Result<OpenResetLink, CodeRefusal>> =>
    withCode(ports, 'reset', input, async (hash) => {
      const found = await ports.resetLinks.findByCode(hash, ports.clock.now());
      return found ? ok(found) : err({ code: 'link_not_accepted' });
    });
}

/** Returns what is wrong with the password that the user chose. */
export function problemsOfReset(
  { user }: OpenResetLink,
  { password }: { readonly password: string },
): InvalidInput['problems'] {
  const checked = checkPassword(password, user.email);
  return checked.ok ? [] : checked.error.problems;
}

/**
 * Sets a new password by a link, and signs the user out everywhere. API tokens keep working, as after every change of a
 * password.
 */
export function resetPassword(ports: ResetPorts & Ports<'passwords'>) {
  const { resetLinks, passwords, clock } = ports;
  return (
    input: CodeInput & { readonly password: string },
  ): Promise<Result<User, CodeRefusal | ChoiceRefused<OpenResetLink>>> =>
    withCode(ports, 'reset', input, async (hash) => {
      const found = await resetLinks.findByCode(hash, clock.now());
      if (!found) return err({ code: 'link_not_accepted' });
      const refused = choiceRefused(found, problemsOfReset(found, input));
      if (refused) return err(refused);
      const passwordHash = await passwords.hash(normalPassword(input.password));
      if (!passwordHash.ok) return passwordHash;
      const at = clock.now();
      const by = (user: User, action: AuditAction, details: AuditEvent['details']): AuditEvent => ({
        ...eventOf(at, action, user, { email: user.email, ...details }),
        actor: { kind: 'user', id: user.id },
        origin: input.address,
      });
      return resetLinks.redeem(
        hash,
        passwordHash.value,
        { at, reason: 'the password was reset by a link' },
        {
          reset: (user, { madeBy }) => by(user, 'user.password_reset', { link_by: madeBy }),
          proved: (user) => by(user, 'user.email_proved', {}),
        },
      );
    });
}
