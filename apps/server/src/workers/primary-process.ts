import type { ChangeFeedState } from '@gatehouse/domain/changes';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import { STOP_SIGNALS, type StopRequests } from '../start/stop-requests.ts';
import type { WorkerCommand, WorkerReport } from './messages.ts';

/**
 * Listens for commands of the primary process. Workers ignore signals, because Ctrl-C reaches every process of the
 * terminal and only the primary process decides. When that exits, `node:cluster` ends its workers at once.
 */
export function listenForCommands(): StopRequests {
  const stopNow = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<string>();
  for (const signal of STOP_SIGNALS) process.on(signal, () => undefined);
  process.on('message', ({ kind }: WorkerCommand) => {
    if (kind === 'ask_state' || kind === 'ask_metrics') return;
    resolve(kind);
    if (kind === 'cut') stopNow.abort();
  });
  return { requested, stopNow: stopNow.signal };
}

interface Answers {
  feedState(): ChangeFeedState;
  metrics(): Promise<MetricsSnapshot>;
}

/** Reports to the primary process that this worker serves, and answers its questions from then on. */
export async function reportServing(url: string, { feedState, metrics }: Answers): Promise<void> {
  process.on('message', ({ kind }: WorkerCommand) => {
    if (kind === 'ask_state') void report({ kind: 'state', feed: feedState() });
    if (kind === 'ask_metrics')
      void metrics().then((snapshot) => report({ kind: 'metrics', metrics: snapshot }));
  });
  await report({ kind: 'serving', url });
}

/** Sends a message. Resolves when it is sent, or if the primary process has exited. */
export function report(message: WorkerReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
