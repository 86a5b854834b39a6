/**
 * Facts about a listening connection at the time when its server answered a heartbeat, a statement that tests the
 * connection.
 */
interface Evidence {
  readonly pid: number;
  /** The backend's process id that the server announced at connect. */
  readonly announcedPid: number | undefined;
  readonly listening: boolean;
  readonly inRecovery: boolean;
  /**
   * Whether this connection received a test notification (nonce) that was sent through the connection pool after the
   * connection began to listen.
   */
  readonly nonceHeard: boolean;
  /**
   * Why the connection leads to the wrong server, as newer connections have shown; undefined if it leads to the right
   * server.
   */
  readonly wrongServer: string | undefined;
}

/**
 * Returns why the answer to a heartbeat, a test of the listening connection, proves nothing; undefined if the answer
 * proves that all changes were received.
 */
export type TrustProblem = (evidence: Evidence) => string | undefined;

/**
 * Judges a heartbeat. A heartbeat proves that all changes were received only if the connection listens on the database
 * of the pool, and no newer connection leads to another server. A connection through a connection pooler answers
 * heartbeats but receives no notifications. Such a connection is recognized because the process id that was announced
 * at connect belongs to the pooler and not to the server.
 */
export const trustProblem: TrustProblem = (evidence) => {
  const { pid, announcedPid, inRecovery, listening, nonceHeard, wrongServer } = evidence;
  if (pid !== announcedPid) {
    return 'the listening connection goes through a connection pooler: DATABASE_LISTEN_URL has to name the database directly';
  }
  if (inRecovery) return 'the listening connection leads to a standby';
  if (wrongServer !== undefined) return `the listening connection ${wrongServer}`;
  if (!listening) return 'the listening connection does not listen any more';
  if (!nonceHeard) {
    return 'a notification sent through DATABASE_URL does not arrive on the listening connection: both have to lead to the same database';
  }
  return undefined;
};
