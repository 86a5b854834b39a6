export {
  type FindSessionOptions,
  type FindSessionPorts,
  findSession,
  type SessionNotAccepted,
  type SignedIn,
} from './find-session.ts';
export { type OpenSession, type OpenSessionPorts, openSession } from './open-session.ts';
export { changeOwnPassword, confirmPassword } from './own-password.ts';
export { endOtherSessions, endOwnSession, endSession, listOwnSessions } from './own-sessions.ts';
export {
  DEFAULT_SESSION_TIMES,
  isLiveSession,
  isPasswordFresh,
  type LiveSince,
  MAX_LIVE_SESSIONS,
  NOT_GIVEN,
  PASSWORD_TRUST_MS,
  parseSessionId,
  REPLACED_SECRET_MS,
  type Session,
  type SessionId,
  type SessionRecord,
  type SessionTimes,
} from './session.ts';
export type { NewSession, OwnSession, SessionBound, SessionRepository } from './session-repository.ts';
export type {
  SecretRenewal,
  SessionFormKey,
  SessionSecret,
  SessionSecretHash,
  SessionSecrets,
} from './session-secrets.ts';
export { sweepSessions } from './sweep-sessions.ts';
