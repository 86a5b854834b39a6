import cluster, { type Worker } from 'node:cluster';
import type { ChangeFeedState } from '@gatehouse/domain/changes';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import type { Order, Report } from './messages.ts';

/** How a worker came to its end. */
export interface End {
  readonly status: number | string;
  /** What it said itself. */
  readonly line: string | undefined;
}

/** A worker as the primary process sees it. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  /** Resolves with its address; never, if it ends before. */
  readonly serving: Promise<string>;
  /** Resolves when it is gone and everything that it said was heard. */
  readonly ended: Promise<End>;
  /** Resolves with what it answers; never, if it does not. */
  feedState(): Promise<ChangeFeedState>;
  /** The same. */
  metrics(): Promise<MetricsSnapshot>;
  order(kind: 'stop' | 'cut'): void;
  kill(): void;
}

export function forkWorker(environment: Readonly<Record<string, string>>): WorkerProcess {
  const worker = cluster.fork(environment);
  const serving = Promise.withResolvers<string>();
  let askedState: PromiseWithResolvers<ChangeFeedState> | undefined;
  let askedMetrics: PromiseWithResolvers<MetricsSnapshot> | undefined;
  let line: string | undefined;
  worker.on('message', (message: Report) => {
    switch (message.kind) {
      case 'serving':
        return serving.resolve(message.url);
      case 'state':
        askedState?.resolve(message.feed);
        askedState = undefined;
        return;
      case 'metrics':
        askedMetrics?.resolve(message.metrics);
        askedMetrics = undefined;
        return;
      case 'failed':
        line = message.line;
    }
  });
  const send = (order: Order) => {
    // To one that is gone there is nothing to say.
    if (worker.isConnected()) worker.send(order, () => undefined);
  };
  return {
    pid: worker.process.pid,
    serving: serving.promise,
    ended: endOf(worker).then((status) => ({ status, line })),
    feedState() {
      askedState ??= Promise.withResolvers();
      send({ kind: 'ask_state' });
      return askedState.promise;
    },
    metrics() {
      askedMetrics ??= Promise.withResolvers();
      send({ kind: 'ask_metrics' });
      return askedMetrics.promise;
    },
    order: (kind) => send({ kind }),
    kill: () => worker.process.kill('SIGKILL'),
  };
}

async function endOf(worker: Worker): Promise<number | string> {
  const wasStarted = worker.process.pid !== undefined;
  const disconnected = new Promise<void>((resolve) => worker.once('disconnect', resolve));
  const status = await new Promise<number | string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(code ?? signal));
    worker.on('error', (error) => {
      // The system refused to make a process: there is an error in place of an end.
      if (!wasStarted) resolve(error.message);
    });
  });
  if (wasStarted) await disconnected;
  return status;
}
