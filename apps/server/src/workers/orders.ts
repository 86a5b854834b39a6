import type { ChangeFeedState } from '@gatehouse/domain/changes';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import { STOP_SIGNALS, type StopRequests } from '../start/stop-requests.ts';
import type { Order, Report } from './messages.ts';

/**
 * Listens for what the primary process says. Signals are its own affair: Ctrl-C reaches every process of the
 * terminal, and one has to decide. When the primary is gone, `node:cluster` ends a worker at once.
 */
export function listenForOrders(): StopRequests {
  const impatience = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<string>();
  for (const signal of STOP_SIGNALS) process.on(signal, () => undefined);
  process.on('message', ({ kind }: Order) => {
    if (kind === 'ask_state' || kind === 'ask_metrics') return;
    resolve(kind);
    if (kind === 'cut') impatience.abort();
  });
  return { requested, impatience: impatience.signal };
}

export interface Answers {
  feedState(): ChangeFeedState;
  metrics(): Promise<MetricsSnapshot>;
}

/** Tells the primary process that this worker serves and, from then on, how it is whenever it asks. */
export async function reportServing(url: string, { feedState, metrics }: Answers): Promise<void> {
  process.on('message', ({ kind }: Order) => {
    if (kind === 'ask_state') void report({ kind: 'state', feed: feedState() });
    if (kind === 'ask_metrics')
      void metrics().then((snapshot) => report({ kind: 'metrics', metrics: snapshot }));
  });
  await report({ kind: 'serving', url });
}

/** Resolves when it is sent, or when the other side has gone. */
export function report(message: Report): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
