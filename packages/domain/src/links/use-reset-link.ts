import { eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, type InvalidInput, ok, type Result } from '../result.ts';
import { checkPassword } from '../users/password-policy.ts';
import type { User } from '../users/user.ts';
import { type CodeInput, type CodeRefusal, type RedeemingPorts, withCode } from './redeeming.ts';
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

/**
 * Sets a new password by a link, and signs the user out everywhere. API tokens keep working, as after every change of a
 * password.
 */
export function resetPassword(ports: ResetPorts & Ports<'passwords'>) {
  const { resetLinks, passwords, clock } = ports;
  return (
    input: CodeInput & { readonly password: string },
  ): Promise<Result<User, CodeRefusal | InvalidInput>> =>
    withCode(ports, 'reset', input, async (hash) => {
      const found = await resetLinks.findByCode(hash, clock.now());
      if (!found) return err({ code: 'link_not_accepted' });
      const password = checkPassword(input.password, found.user.email);
      if (!password.ok) return password;
      const passwordHash = await passwords.hash(password.value);
      if (!passwordHash.ok) return passwordHash;
      const at = clock.now();
      return resetLinks.redeem(
        hash,
        passwordHash.value,
        { at, reason: 'the password was reset by a link' },
        (user, { madeBy }) => ({
          ...eventOf(at, 'user.password_reset', user, { email: user.email, link_by: madeBy }),
          actor: { kind: 'user', id: user.id },
          origin: input.address,
        }),
      );
    });
}
