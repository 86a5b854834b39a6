import cluster, { type Worker } from 'node:cluster';
import type { ChangeFeedState } from '@gatehouse/domain/changes';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import type { WorkerCommand, WorkerReport } from './messages.ts';

/** How a worker ended. */
interface End {
  readonly status: number | string;
  /** The reason that it reported. */
  readonly line: string | undefined;
}

/** A worker, in the primary process. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  /** Resolves with its URL; never, if it ends before. */
  readonly serving: Promise<string>;
  /** Resolves when it has exited and all its messages were received. */
  readonly ended: Promise<End>;
  /** Resolves with its state; never, if it does not respond. */
  feedState(): Promise<ChangeFeedState>;
  /** Resolves with its metrics; never, if it does not respond. */
  metrics(): Promise<MetricsSnapshot>;
  command(kind: 'stop' | 'cut'): void;
  kill(): void;
}

export function forkWorker(environment: Readonly<Record<string, string>>): WorkerProcess {
  const worker = cluster.fork(environment);
  const serving = Promise.withResolvers<string>();
  let askedState: PromiseWithResolvers<ChangeFeedState> | undefined;
  let askedMetrics: PromiseWithResolvers<MetricsSnapshot> | undefined;
  let line: string | undefined;
  worker.on('message', (message: WorkerReport) => {
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
  const send = (command: WorkerCommand) => {
    // A worker that has exited gets no messages.
    if (worker.isConnected()) worker.send(command, () => undefined);
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
    command: (kind) => send({ kind }),
    kill: () => worker.process.kill('SIGKILL'),
  };
}

async function endOf(worker: Worker): Promise<number | string> {
  const wasStarted = worker.process.pid !== undefined;
  const disconnected = new Promise<void>((resolve) => worker.once('disconnect', resolve));
  const status = await new Promise<number | string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(code ?? signal));
    worker.on('error', (error) => {
      // If the system cannot create a process, there is an error event and no exit event.
      if (!wasStarted) resolve(error.message);
    });
  });
  if (wasStarted) await disconnected;
  return status;
}
