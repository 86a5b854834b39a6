import type { ConnectionLimit, LimitRecorder } from '@gatehouse/front';
import type { Log } from './line-kind.ts';

export interface LimitRecorderOptions {
  readonly log: Log;
  /** Counts connections that are closed because of a limit. */
  readonly limits: { inc(limit: ConnectionLimit): void };
}

/** The minimum time between two lines about the same limit, in milliseconds. */
const ONCE_IN_MS = 60_000;

const MESSAGES: Readonly<Record<ConnectionLimit, string>> = {
  connections:
    'connections are closed to make room for new connections: this process has reached MAX_CONNECTIONS, or its limit of open files',
  connections_per_address:
    'connections are refused: one address has reached MAX_CONNECTIONS_PER_ADDRESS; if it is a proxy, add it to TRUST_PROXY',
  pipelined_requests:
    'connections are closed: clients sent too many requests without waiting for the responses',
  body_pieces: 'connections are closed: the body of a request came in too many small pieces',
};

/**
 * Counts connections that are closed because of a limit. Logs at most one line a minute for each limit. The line has
 * the number of connections closed since the previous line, and the client address of the last one.
 */
export function createLimitRecorder(
  { log, limits }: LimitRecorderOptions,
  elapsedMs = () => performance.now(),
): LimitRecorder {
  const unsaid = new Map<ConnectionLimit, { closed: number; saidAt: number }>();
  return (limit, address) => {
    limits.inc(limit);
    const state = unsaid.get(limit) ?? { closed: 0, saidAt: Number.NEGATIVE_INFINITY };
    unsaid.set(limit, state);
    state.closed += 1;
    if (elapsedMs() - state.saidAt < ONCE_IN_MS) return;
    const facts = { limit, closed: state.closed, last_address: address };
    log.warn({ kind: 'connections_closed', ...facts }, MESSAGES[limit]);
    state.saidAt = elapsedMs();
    state.closed = 0;
  };
}
