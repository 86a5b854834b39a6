import type { Pulse } from './listening-connection.ts';

/** What is known when a heartbeat has come back. */
export interface Evidence extends Pulse {
  readonly announcedPid: number | undefined;
  /** Whether what was sent through the pool after this connection began to listen was heard on it. */
  readonly nonceHeard: boolean;
}

/** Why nothing follows from a heartbeat that came back; undefined when all does. */
export type TrustProblem = (evidence: Evidence) => string | undefined;

/**
 * A heartbeat proves that all was heard only if the connection is one to a server that listens, of the same
 * database as the pool. Behind a pooler heartbeats come back and notifications do not: poolers announce a
 * process id of their own making.
 */
export const trustProblem: TrustProblem = ({ pid, announcedPid, inRecovery, listening, nonceHeard }) => {
  if (pid !== announcedPid) {
    return 'the listening connection goes through a connection pooler: DATABASE_LISTEN_URL has to name the database directly';
  }
  if (inRecovery) return 'the listening connection leads to a standby';
  if (!listening) return 'the listening connection does not listen any more';
  if (!nonceHeard) {
    return 'what is sent through DATABASE_URL is not heard on the listening connection: both have to lead to the same database';
  }
  return undefined;
};
