import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import {
  type CredentialsInput,
  type VerifyCredentialsPorts,
  withPassword,
} from '../sign-in/verify-credentials.ts';
import type { Role } from '../users/user.ts';
import { liveSince, MAX_LIVE_SESSIONS, type Session } from './session.ts';
import { sessionCreated, sessionEnded } from './session-events.ts';
import type { SessionFormKey, SessionSecret } from './session-secrets.ts';

export type OpenSessionPorts = VerifyCredentialsPorts &
  Ports<'sessions' | 'sessionSecrets' | 'sessionTimes' | 'clock'>;

interface OpenSessionInput extends CredentialsInput {
  /** The browser's `User-Agent`, of any length. */
  readonly userAgent: string | null;
}

interface OpenedSession {
  /** The value of the session cookie. */
  readonly secret: SessionSecret;
  readonly session: Session;
  readonly role: Role;
  readonly formKey: SessionFormKey;
}

/** The maximum length of a stored `User-Agent`. A longer one is cut. */
const USER_AGENT_MAX_LENGTH = 300;

/**
 * Opens a session for the user if the password is right. Attempts are limited in the same way as the attempts of
 * `signIn`.
 */
export function openSession(ports: OpenSessionPorts) {
  const { sessions, sessionSecrets, sessionTimes, clock } = ports;
  return (input: OpenSessionInput) =>
    withPassword<OpenedSession>(ports, { ...input, isOnPage: true }, async ({ user, passwordHash }) => {
      const { address: origin, userAgent } = input;
      const now = clock.now();
      const { id, secret, formKey } = sessionSecrets.create();
      const session: Session = {
        id,
        userId: user.id,
        createdAt: now,
        lastSeenAt: now,
        passwordGivenAt: now,
        origin,
        userAgent: userAgent ? storableUserAgent(userAgent) : null,
        provider: null,
      };
      const by = { actor: { kind: 'user', id: user.id }, origin } as const;
      const reason = `the user has ${MAX_LIVE_SESSIONS} newer sessions`;
      const stored = await sessions.insert(
        { ...session, secretHash: sessionSecrets.hashOf(secret), formKey },
        { verifiedHash: passwordHash },
        { keep: MAX_LIVE_SESSIONS, ...liveSince(now, sessionTimes) },
        {
          created: { ...sessionCreated(session, user), ...by },
          ended: (oldest) => ({ ...sessionEnded(oldest.id, user, now, reason), ...by }),
        },
      );
      if (stored.ok) return ok({ secret, session, role: user.role, formKey });
      // The user was disabled or the account suspended during the verification.
      return stored.error.code === 'user_not_fit'
        ? err({ code: 'credentials_not_accepted' })
        : err(stored.error);
    });
}

/** Replaces characters that cannot be stored in a text from a browser, and cuts the text to its maximum length. */
export function storableUserAgent(text: string): string {
  return text.slice(0, USER_AGENT_MAX_LENGTH).replaceAll('\u0000', '\ufffd').toWellFormed();
}
