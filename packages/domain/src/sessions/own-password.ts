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
  type PasswordChanged,
  type VerifyCredentialsPorts,
  verifyCredentials,
} from '../sign-in/verify-credentials.ts';
import type { Revocation } from '../tokens/token.ts';
import type { Email } from '../users/email.ts';
import { checkPassword } from '../users/password-policy.ts';
import type { Credentials } from '../users/user-repository.ts';
import type { SessionId } from './session.ts';
import type { SessionNotFound } from './session-repository.ts';

interface OwnPassword {
  /** The session in which the caller acts. */
  readonly sessionId: SessionId;
  /** The caller's. */
  readonly email: Email;
  /** The caller's password of now. */
  readonly password: string;
}

/**
 * Verifies the caller's password again, within the limits on sign-ins, and records in the session when it was given.
 * Making and rotating tokens ask for it (see `isPasswordFresh`).
 */
export const confirmPassword = authorized(
  USE_OWN_SESSIONS,
  (ports: VerifyCredentialsPorts & Ports<'sessions' | 'clock'>) =>
    async (caller: Principal, { sessionId, ...input }: OwnPassword) => {
      const { userId } = caller;
      return verifyOwn<SessionNotFound>(ports, caller, input, ({ passwordHash: verifiedHash }) =>
        ports.sessions.confirmPassword({ id: sessionId, userId }, ports.clock.now(), { verifiedHash }),
      );
    },
);

/**
 * Sets the caller's password after verifying the one of now, within the limits on sign-ins. Ends the caller's other
 * sessions and sign-in tokens; API tokens keep working.
 */
export const changeOwnPassword = authorized(
  CHANGE_OWN_PASSWORD,
  (ports: VerifyCredentialsPorts & Ports<'clock'>) =>
    async (
      caller: Principal,
      { sessionId, newPassword, ...input }: OwnPassword & { readonly newPassword: string },
    ) => {
      const { email } = input;
      const checked = checkPassword(newPassword, email);
      if (!checked.ok) return checked;
      return verifyOwn<SessionNotFound>(
        ports,
        caller,
        input,
        async ({ user, passwordHash: verifiedHash }) => {
          const hash = await ports.passwords.hash(checked.value);
          if (!hash.ok) return hash;
          const at = ports.clock.now();
          const revocation: Revocation = { at, by: actorOf(caller), reason: 'the password was changed' };
          const event = eventBy(caller, eventOf(at, 'user.password_set', user, { email }));
          const guard = { verifiedHash, kept: sessionId };
          const changed = await ports.users.changePassword(user.id, hash.value, guard, revocation, event);
          return changed.ok ? ok(undefined) : changed;
        },
      );
    },
);

/** Verifies the caller's password of now, and uses the credentials of no other user. */
function verifyOwn<E>(
  ports: VerifyCredentialsPorts,
  { userId, origin: address }: Principal,
  input: Pick<OwnPassword, 'email' | 'password'>,
  use: (credentials: Credentials) => Promise<Result<void, E | CredentialsError | PasswordChanged>>,
) {
  return verifyCredentials(ports)<void, E>({ ...input, address }, async (credentials) =>
    credentials.user.id === userId ? use(credentials) : err({ code: 'credentials_not_accepted' }),
  );
}
