import type { ChangeFeedState } from '@gatehouse/domain/changes';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import { STOP_SIGNALS, type StopRequests } from '../start/stop-requests.ts';

/** The questions of the primary process to a worker. The worker answers `state` at once, and `metrics` soon. */
export interface WorkerAnswers {
  readonly state: ChangeFeedState;
  readonly metrics: MetricsSnapshot;
}

/** A message of the primary process to a worker: a question, or to stop, with `cut` without waiting for responses. */
export type WorkerCommand = keyof WorkerAnswers | 'stop' | 'cut';

/** A message of a worker to the primary process. */
export type WorkerReport =
  | { readonly kind: 'serving'; readonly url: string }
  | { readonly kind: 'answers'; readonly answers: Partial<WorkerAnswers> }
  /** The worker is about to exit; `line` is the reason. */
  | { readonly kind: 'failed'; readonly line: string };

/**
 * Listens for commands of the primary process. Workers ignore signals, because Ctrl-C reaches every process of the
 * terminal and only the primary process decides. When that exits, `node:cluster` ends its workers at once.
 */
export function listenForCommands(): StopRequests {
  const stopNow = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<string>();
  for (const signal of STOP_SIGNALS) process.on(signal, () => undefined);
  process.on('message', (command: WorkerCommand) => {
    if (command === 'stop' || command === 'cut') resolve(command);
    if (command === 'cut') stopNow.abort();
  });
  return { requested, stopNow: stopNow.signal };
}

type Answering = {
  readonly [Question in keyof WorkerAnswers]: () =>
    | WorkerAnswers[Question]
    | Promise<WorkerAnswers[Question]>;
};

/** Reports to the primary process that this worker serves, and answers its questions from then on. */
export async function reportServing(url: string, { state, metrics }: Answering): Promise<void> {
  process.on('message', async (command: WorkerCommand) => {
    if (command === 'state') void report({ kind: 'answers', answers: { state: await state() } });
    if (command === 'metrics') void report({ kind: 'answers', answers: { metrics: await metrics() } });
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
