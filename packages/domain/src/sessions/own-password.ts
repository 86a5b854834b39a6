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
import {
  type CredentialsError,
  type VerifyCredentialsPorts,
  withPassword,
} from '../sign-in/verify-credentials.ts';
import type { Revocation } from '../tokens/token.ts';
import type { Email } from '../users/email.ts';
import type { PasswordChanged } from '../users/password-hasher.ts';
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

/** The session after its secret was replaced. */
interface Renewed {
  readonly secret: SessionSecret;
}

/**
 * Verifies the caller's password again, within the limits on sign-ins, and records the time in the session. Making and
 * rotating tokens require it (see `isPasswordFresh`). The session gets a new secret, so that copies of the old one gain
 * nothing (OWASP ASVS 5, 7.2.4).
 */
export const confirmPassword = authorized(
  USE_OWN_SESSIONS,
  (ports: VerifyCredentialsPorts & Ports<'sessions' | 'sessionSecrets' | 'clock'>) =>
    async (caller: Principal, { sessionId, secret, ...input }: OwnPassword) => {
      const own = { id: sessionId, userId: caller.userId };
      return verifyOwn<Renewed, SessionNotFound>(ports, caller, input, ({ passwordHash: verifiedHash }) =>
        renewing(ports, secret, (renewal) =>
          ports.sessions.confirmPassword(own, ports.clock.now(), { verifiedHash }, renewal),
        ),
      );
    },
);

/**
 * Sets the caller's password after verifying the current one, within the limits on sign-ins. Ends the caller's other
 * sessions and sign-in tokens, and gives this session a new secret; API tokens keep working.
 */
export const changeOwnPassword = authorized(
  CHANGE_OWN_PASSWORD,
  (ports: VerifyCredentialsPorts & Ports<'sessionSecrets' | 'clock'>) =>
    async (
      caller: Principal,
      { sessionId, secret, newPassword, ...input }: OwnPassword & { readonly newPassword: string },
    ) => {
      const { email } = input;
      const checked = checkPassword(newPassword, email);
      if (!checked.ok) return checked;
      const change = async ({ user, passwordHash: verifiedHash }: Credentials) => {
        const hash = await ports.passwords.hash(checked.value);
        if (!hash.ok) return hash;
        const at = ports.clock.now();
        const revocation: Revocation = { at, by: actorOf(caller), reason: 'the password was changed' };
        const event = eventBy(caller, eventOf(at, 'user.password_set', user, { email }));
        return renewing(ports, secret, (renewal) => {
          const guard = { verifiedHash, kept: sessionId, renewal };
          return ports.users.changePassword(user.id, hash.value, guard, revocation, event);
        });
      };
      return verifyOwn<Renewed, SessionNotFound>(ports, caller, input, change, { replaces: true });
    },
);

/** Replaces the session's secret in the transaction of `change`, and returns the new one. */
async function renewing<E>(
  { sessionSecrets }: Ports<'sessionSecrets'>,
  secret: string,
  change: (renewal: SecretRenewal) => Promise<Result<void, E>>,
): Promise<Result<Renewed, E | SessionNotFound>> {
  const from = parseSessionSecret(secret);
  if (from === undefined) return err({ code: 'session_not_found' });
  const to = sessionSecrets.createSecret();
  const changed = await change({ from: sessionSecrets.hashOf(from), to: sessionSecrets.hashOf(to) });
  return changed.ok ? ok({ secret: to }) : changed;
}

/** Verifies the caller's current password. The credentials of another user are refused. */
function verifyOwn<T, E>(
  ports: VerifyCredentialsPorts,
  { userId, origin: address }: Principal,
  input: Pick<OwnPassword, 'email' | 'password'>,
  use: (credentials: Credentials) => Promise<Result<T, E | CredentialsError | PasswordChanged>>,
  options?: Parameters<typeof withPassword>[3],
) {
  const useOwn = async (credentials: Credentials) =>
    credentials.user.id === userId ? use(credentials) : err({ code: 'credentials_not_accepted' });
  return withPassword<T, E>(ports, { ...input, address }, useOwn, options);
}
