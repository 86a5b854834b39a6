import {
  actorOf,
  authorized,
  CHANGE_OWN_PASSWORD,
  type Principal,
  USE_OWN_SESSIONS,
} from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import type { Revocation } from '../tokens/token.ts';
import { checkPassword } from '../users/password-policy.ts';
import {
  type Change,
  type OwnPassword,
  type OwnPasswordPorts,
  verifiedOf,
  withOwnPassword,
} from './with-own-password.ts';

/**
 * Verifies the caller's password again, and stores the time in the session. The attempt counts toward the limits on
 * sign-ins. Making or rotating tokens requires a password that was given recently (see `isPasswordFresh`). The session
 * gets a new secret, so that a stolen copy of the old secret is useless (OWASP ASVS 5, 7.2.4).
 */
export const confirmPassword = authorized(
  USE_OWN_SESSIONS,
  (ports: OwnPasswordPorts & Ports<'sessions'>) => async (caller: Principal, input: OwnPassword) => {
    const own = { id: input.sessionId, userId: caller.userId };
    return withOwnPassword<never>(ports, caller, input, (credentials, renewal) =>
      ports.sessions.confirmPassword(own, ports.clock.now(), verifiedOf(credentials), renewal),
    );
  },
);

/**
 * Sets the caller's password after verifying the current password. The attempt counts toward the limits on sign-ins.
 * Ends the caller's other sessions, revokes the caller's sign-in tokens, and gives this session a new secret. API
 * tokens keep working.
 */
export const changeOwnPassword = authorized(
  CHANGE_OWN_PASSWORD,
  (ports: OwnPasswordPorts) =>
    async (caller: Principal, input: OwnPassword & { readonly newPassword: string }) => {
      const { sessionId: kept, email } = input;
      const checked = checkPassword(input.newPassword, email);
      if (!checked.ok) return checked;
      const change: Change = async (credentials, renewal) => {
        const { user } = credentials;
        const hash = await ports.passwords.hash(checked.value);
        if (!hash.ok) return hash;
        const at = ports.clock.now();
        const revocation: Revocation = { at, by: actorOf(caller), reason: 'the password was changed' };
        const event = eventBy(caller, eventOf(at, 'user.password_set', user, { email }));
        return ports.users.changePassword(
          user.id,
          hash.value,
          { ...verifiedOf(credentials), kept, renewal },
          revocation,
          event,
        );
      };
      return withOwnPassword<never>(ports, caller, input, change, { replaces: true });
    },
);
