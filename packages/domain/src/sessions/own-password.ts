import {
  actorOf,
  authorized,
  CHANGE_OWN_PASSWORD,
  type Principal,
  USE_OWN_SESSIONS,
} from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { type VerifyCredentialsPorts, withPassword } from '../sign-in/verify-credentials.ts';
import type { Revocation } from '../tokens/token.ts';
import type { Email } from '../users/email.ts';
import type { HashingBusy, PasswordChanged } from '../users/password-hasher.ts';
import { checkPassword } from '../users/password-policy.ts';
import type { Credentials } from '../users/user-repository.ts';
import type { SessionId } from './session.ts';
import type { SessionNotFound } from './session-repository.ts';
import { parseSessionSecret, type SecretRenewal, type SessionSecret } from './session-secrets.ts';

interface OwnPassword {
  /** The session in which the caller acts. */
  readonly sessionId: SessionId;
  /** The session's secret, from the request. */
  readonly secret: string;
  /** The caller's email. */
  readonly email: Email;
  /** The caller's current password. */
  readonly password: string;
}

/**
 * Verifies the caller's password again, and stores the time in the session. The attempt counts toward the limits on
 * sign-ins. Making or rotating tokens requires a password that was given recently (see `isPasswordFresh`). The session
 * gets a new secret, so that a stolen copy of the old secret is useless (OWASP ASVS 5, 7.2.4).
 */
export const confirmPassword = authorized(
  USE_OWN_SESSIONS,
  (ports: OwnPasswordPorts & Ports<'sessions'>) => async (caller: Principal, input: OwnPassword) => {
    const own = { id: input.sessionId, userId: caller.userId };
    return withOwnPassword(ports, caller, input, ({ passwordHash: verifiedHash }, renewal) =>
      ports.sessions.confirmPassword(own, ports.clock.now(), { verifiedHash }, renewal),
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
      const change: Change = async ({ user, passwordHash: verifiedHash }, renewal) => {
        const hash = await ports.passwords.hash(checked.value);
        if (!hash.ok) return hash;
        const at = ports.clock.now();
        const revocation: Revocation = { at, by: actorOf(caller), reason: 'the password was changed' };
        const event = eventBy(caller, eventOf(at, 'user.password_set', user, { email }));
        return ports.users.changePassword(
          user.id,
          hash.value,
          { verifiedHash, kept, renewal },
          revocation,
          event,
        );
      };
      return withOwnPassword(ports, caller, input, change, { replaces: true });
    },
);

type OwnPasswordPorts = VerifyCredentialsPorts & Ports<'sessionSecrets' | 'clock'>;

/**
 * A function that makes one change for the user, such as a new password, and replaces the session's secret in the same
 * transaction.
 */
type Change = (
  credentials: Credentials,
  renewal: SecretRenewal,
) => Promise<Result<void, SessionNotFound | PasswordChanged | HashingBusy>>;

/**
 * Verifies the caller's current password, calls `change`, and returns the session's new secret. Refuses the credentials
 * of another user.
 */
function withOwnPassword(
  ports: OwnPasswordPorts,
  { userId, origin: address }: Principal,
  { secret, email, password }: OwnPassword,
  change: Change,
  options?: Parameters<typeof withPassword>[3],
) {
  const { sessionSecrets } = ports;
  const renew = async (credentials: Credentials) => {
    if (credentials.user.id !== userId) return err({ code: 'credentials_not_accepted' });
    const from = parseSessionSecret(secret);
    if (from === undefined) return err({ code: 'session_not_found' });
    const to = sessionSecrets.createSecret();
    const renewal = { from: sessionSecrets.hashOf(from), to: sessionSecrets.hashOf(to) };
    const changed = await change(credentials, renewal);
    return changed.ok ? ok({ secret: to }) : changed;
  };
  return withPassword<{ readonly secret: SessionSecret }, SessionNotFound>(
    ports,
    { email, password, address, isOnPage: true },
    renew,
    options,
  );
}
