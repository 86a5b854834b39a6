import { IN_PERSON, type Principal } from '../access/index.ts';
import type { Account } from '../accounts/account.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { User } from '../users/user.ts';
import { isActive } from '../users/user-repository.ts';
import { liveSince, type Session, type SessionRecord, type SessionTimes } from './session.ts';
import { parseSessionSecret } from './session-secrets.ts';

/** The session of a request, and who acts in it. */
export interface SignedIn {
  readonly session: Session;
  /** The user in person, with the role of now and the request's IP address. */
  readonly caller: Principal;
  readonly user: User;
  readonly account: Account;
}

export interface SessionNotAccepted {
  readonly code: 'session_not_accepted';
  /** `unknown` also after the user, another session or a new password ended it. */
  readonly reason: 'unknown' | 'idle' | 'too_old' | 'user_not_active';
}

export interface FindSessionPorts extends Ports<'sessions' | 'sessionSecrets' | 'clock'> {
  readonly sessionTimes: SessionTimes;
}

/** A request is recorded in its session only if the last one was recorded longer ago, in milliseconds. */
const TOUCH_INTERVAL_MS = 60_000;

/**
 * Authenticates the secret of a session. Reads the session, its user and its account each time, so that what ends a
 * session takes effect with the next request on every node. With `extend: false`, the request does not count as use.
 */
export function findSession({ sessions, sessionSecrets, sessionTimes, clock }: FindSessionPorts) {
  return async (
    secret: string,
    address: string,
    { extend = true }: { readonly extend?: boolean } = {},
  ): Promise<Result<SignedIn, SessionNotAccepted>> => {
    const parsed = parseSessionSecret(secret);
    const record = parsed && (await sessions.find(sessionSecrets.hashOf(parsed), address));
    const now = clock.now();
    if (!record) return notAccepted('unknown');
    const reason = refusalOf(record, now, sessionTimes);
    if (reason) return notAccepted(reason);

    const { user, account, ...session } = record;
    if (extend && now - session.lastSeenAt >= TOUCH_INTERVAL_MS) await sessions.touch(session.id, now);
    const { id: userId, accountId, role } = user;
    const caller = { kind: 'user', userId, accountId, role, scopes: IN_PERSON, origin: address } as const;
    return ok({ session, caller, user, account });
  };
}

function refusalOf(record: SessionRecord, now: Instant, times: SessionTimes) {
  const { createdAfter, seenAfter } = liveSince(now, times);
  if (!isActive(record)) return 'user_not_active';
  if (record.createdAt <= createdAfter) return 'too_old';
  if (record.lastSeenAt <= seenAfter) return 'idle';
  return undefined;
}

function notAccepted(reason: SessionNotAccepted['reason']) {
  return err({ code: 'session_not_accepted', reason } as const);
}
