import { IN_PERSON, type Principal } from '../access/index.ts';
import type { Account } from '../accounts/account.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { demandsSecondFactor, type SecondFactorState } from '../second-factor/second-factor.ts';
import type { Instant } from '../time/instant.ts';
import type { User } from '../users/user.ts';
import { isActive } from '../users/user-repository.ts';
import {
  liveSince,
  REPLACED_SECRET_MS,
  type Session,
  type SessionRecord,
  type SessionTimes,
} from './session.ts';
import { parseSessionSecret, type SessionFormKey, type SessionSecret } from './session-secrets.ts';

/** The session of a request, and its user. */
export interface SignedIn {
  readonly session: Session;
  /** The session's user as a caller without a token, with the user's current role and the client's IP address. */
  readonly caller: Principal;
  readonly user: User;
  readonly account: Account;
  readonly secondFactor: SecondFactorState;
  /** Whether the user may open no page but those of the enrolment, because the account demands a second factor. */
  readonly mustEnrol: boolean;
  readonly formKey: SessionFormKey;
  /** The session's new secret, if this request replaced the old one. */
  readonly renewed?: SessionSecret;
}

export interface SessionNotAccepted {
  readonly code: 'session_not_accepted';
  /**
   * `unknown`: no session has this secret, or the session was ended. `replaced`: the session now has another secret,
   * which the browser receives in the response to another request. `idle`, `too_old`: the time limit since the last
   * request, or since the sign-in, has passed.
   */
  readonly reason: 'unknown' | 'replaced' | 'idle' | 'too_old' | 'user_not_active';
  /** The form key of the session, if the secret of the session was replaced. */
  readonly formKey?: SessionFormKey;
}

export type FindSessionPorts = Ports<'sessions' | 'sessionSecrets' | 'sessionTimes' | 'clock' | 'onBehalf'>;

export interface FindSessionOptions {
  /**
   * Whether the request counts as a use of the session. If so, it also replaces the secret of the session when the
   * secret is due to be replaced. Default: true.
   */
  readonly extend?: boolean;
  /**
   * Whether to accept a secret that was replaced less than a minute ago. True only for requests that end the session.
   * Default: false.
   */
  readonly toEnd?: boolean;
}

/**
 * The time of a request is stored as the session's last use only if the stored last use is older than this, in
 * milliseconds.
 */
const TOUCH_INTERVAL_MS = 60_000;

/**
 * Finds the session that has this secret. Reads the session, its user and its account for each request, so that the end
 * of a session takes effect with the next request on every server. Replaces the secret after a change of the user's
 * role.
 */
export function findSession(ports: FindSessionPorts) {
  const { sessions, sessionSecrets, sessionTimes, clock, onBehalf } = ports;
  return async (
    secret: string,
    address: string,
    { extend = true, toEnd = false }: FindSessionOptions = {},
  ): Promise<Result<SignedIn, SessionNotAccepted>> => {
    const parsed = parseSessionSecret(secret);
    const record =
      parsed && (await onBehalf.ofClient(address, () => sessions.find(sessionSecrets.hashOf(parsed))));
    const now = clock.now();
    if (!parsed || !record) return notAccepted('unknown');
    const reason = refusalOf(record, now, sessionTimes);
    if (reason === 'replaced' && !toEnd) return notAccepted(reason, record.formKey);
    if (reason && reason !== 'replaced') return notAccepted(reason);

    const { user, account, secondFactor, formKey, isRenewalDue, secretReplacedAt, ...session } = record;
    const { id: userId, accountId, role } = user;
    const caller = { kind: 'user', userId, accountId, role, scopes: IN_PERSON, origin: address } as const;
    // A provider that signed the user in has its own second factor.
    const mustEnrol =
      session.provider === null &&
      secondFactor.enrolledAt === null &&
      demandsSecondFactor(secondFactor, role);
    const found = { session, caller, user, account, secondFactor, mustEnrol, formKey };
    if (!extend || toEnd) return ok(found);
    if (now - session.lastSeenAt >= TOUCH_INTERVAL_MS) await sessions.touch(session.id, now);
    if (!isRenewalDue) return ok(found);
    const renewed = sessionSecrets.createSecret();
    const renewal = { from: sessionSecrets.hashOf(parsed), to: sessionSecrets.hashOf(renewed) };
    // If another request has replaced the secret at the same time, this request must not replace it again.
    const isRenewed = await sessions.renew(session, now, renewal);
    return isRenewed ? ok({ ...found, renewed }) : notAccepted('replaced', formKey);
  };
}

function refusalOf(record: SessionRecord, now: Instant, times: SessionTimes) {
  const { createdAfter, seenAfter } = liveSince(now, times);
  const { secretReplacedAt } = record;
  if (secretReplacedAt !== null && now - secretReplacedAt > REPLACED_SECRET_MS) return 'unknown';
  if (!isActive(record)) return 'user_not_active';
  if (record.createdAt <= createdAfter) return 'too_old';
  if (record.lastSeenAt <= seenAfter) return 'idle';
  return secretReplacedAt === null ? undefined : 'replaced';
}

function notAccepted(reason: SessionNotAccepted['reason'], formKey?: SessionFormKey) {
  return err({ code: 'session_not_accepted', reason, ...(formKey && { formKey }) } as const);
}
