import type { Logger } from 'pino';

/** However many are refused, the log says so once in so many milliseconds. */
const ONCE_IN_MS = 60_000;

/** Says that connections are refused, and how many were since it said so last. */
export function createRefusedConnectionsLog(
  log: Logger,
  most: number,
  elapsedMs: () => number = () => performance.now(),
): () => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  let refused = 0;
  return () => {
    refused += 1;
    if (elapsedMs() - saidAt < ONCE_IN_MS) return;
    log.warn({ refused, most }, 'connections are refused: MAX_CONNECTIONS of them are open');
    saidAt = elapsedMs();
    refused = 0;
  };
}
