import type { ChangeFeedState } from '@gatehouse/domain/changes';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import { STOP_SIGNALS, type StopRequests } from '../start/stop-requests.ts';

/** The questions that the primary process can send to a worker, with the types of the answers. */
export interface WorkerAnswers {
  readonly state: ChangeFeedState;
  readonly metrics: MetricsSnapshot;
}

/**
 * A message from the primary process to a worker. `stop`: answer the received requests and exit. `cut`: exit without
 * waiting for pending responses. Any other message is a question.
 */
export type WorkerCommand = keyof WorkerAnswers | 'stop' | 'cut';

/** A message from a worker to the primary process. */
export type WorkerReport =
  | { readonly kind: 'serving'; readonly url: string }
  | { readonly kind: 'answers'; readonly answers: Partial<WorkerAnswers> }
  /** The worker failed and is about to exit. `line` is the reason. */
  | { readonly kind: 'failed'; readonly line: string };

/**
 * Listens for commands from the primary process. Workers ignore signals: Ctrl-C reaches all processes of the terminal,
 * but only the primary process decides when the workers stop. If the primary process exits, `node:cluster` ends its
 * workers at once.
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

/**
 * Reports to the primary process that this worker is ready. From then on, this worker answers questions of the primary
 * process.
 */
export async function reportServing(url: string, { state, metrics }: Answering): Promise<void> {
  process.on('message', async (command: WorkerCommand) => {
    if (command === 'state') void report({ kind: 'answers', answers: { state: await state() } });
    if (command === 'metrics') void report({ kind: 'answers', answers: { metrics: await metrics() } });
  });
  await report({ kind: 'serving', url });
}

/**
 * Sends a message to the primary process. Resolves when the message is sent, or cannot be sent because the primary
 * process has exited.
 */
export function report(message: WorkerReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
