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
    'connections are closed for new ones: this process has as many as it accepts (MAX_CONNECTIONS, LimitNOFILE)',
  connections_per_address:
    'connections are refused: MAX_CONNECTIONS_PER_ADDRESS of one address are open (name a proxy in TRUST_PROXY)',
  pipelined_requests: 'connections are closed: too many pipelined requests are unanswered',
  body_pieces: 'connections are closed: the body of a request came in too many small pieces',
};

/**
 * Counts connections that are closed for a limit. Once a minute it logs how many there were since the last line, from all
 * addresses, and the address of the last one.
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
