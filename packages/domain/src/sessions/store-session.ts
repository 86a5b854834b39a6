import type { Ports } from '../ports.ts';
import { ok, type Result } from '../result.ts';
import type { Role, User } from '../users/user.ts';
import { liveSince, MAX_LIVE_SESSIONS, type Session } from './session.ts';
import { sessionCreated, sessionEnded } from './session-events.ts';
import type { SessionInsertRefusal, VerifiedCredentials } from './session-repository.ts';
import type { SessionFormKey, SessionSecret } from './session-secrets.ts';

export type StoreSessionPorts = Ports<'sessions' | 'sessionSecrets' | 'sessionTimes' | 'clock'>;

export interface OpenedSession {
  /** The value of the session cookie. */
  readonly secret: SessionSecret;
  readonly session: Session;
  readonly role: Role;
  readonly formKey: SessionFormKey;
}

interface Browser {
  /** The client's IP address. */
  readonly address: string;
  /** The browser's `User-Agent`, of any length. */
  readonly userAgent: string | null;
}

/** The maximum length of a stored `User-Agent`. A longer one is cut. */
const USER_AGENT_MAX_LENGTH = 300;

/** Stores a session for the user, whose credentials were verified. Ends the oldest sessions if there are too many. */
export async function storeSession(
  { sessions, sessionSecrets, sessionTimes, clock }: StoreSessionPorts,
  user: User,
  { address: origin, userAgent }: Browser,
  guard: VerifiedCredentials,
): Promise<Result<OpenedSession, SessionInsertRefusal>> {
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
    guard,
    { keep: MAX_LIVE_SESSIONS, ...liveSince(now, sessionTimes) },
    {
      created: { ...sessionCreated(session, user), ...by },
      ended: (oldest) => ({ ...sessionEnded(oldest.id, user, now, reason), ...by }),
    },
  );
  return stored.ok ? ok({ secret, session, role: user.role, formKey }) : stored;
}

/** Replaces characters that cannot be stored in a text from a browser, and cuts the text to its maximum length. */
export function storableUserAgent(text: string): string {
  return text.slice(0, USER_AGENT_MAX_LENGTH).replaceAll('\u0000', '\ufffd').toWellFormed();
}
