import cluster, { type Worker } from 'node:cluster';
import type { WorkerAnswers, WorkerCommand, WorkerReport } from './primary-process.ts';

/** A worker, as the primary process sees it. */
export type WorkerProcess = ReturnType<typeof forkWorker>;

/** Starts a worker with these settings in addition to the settings of this process. */
export function forkWorker(environment: Readonly<Record<string, string>>) {
  const worker = cluster.fork(environment);
  const serving = Promise.withResolvers<string>();
  const asked = new Map<string, PromiseWithResolvers<unknown>>();
  let line: string | undefined;
  worker.on('message', (message: WorkerReport) => {
    if (message.kind === 'serving') return serving.resolve(message.url);
    if (message.kind === 'failed') {
      line = message.line;
      return;
    }
    for (const [question, answer] of Object.entries(message.answers)) {
      asked.get(question)?.resolve(answer);
      asked.delete(question);
    }
  });
  const send = (command: WorkerCommand) => {
    // An error is ignored: the worker has exited, so no message can reach it.
    if (worker.isConnected()) worker.send(command, () => undefined);
  };
  return {
    pid: worker.process.pid,
    /** Resolves with the worker's URL. Never resolves if the worker ends before it is ready. */
    serving: serving.promise,
    /**
     * Resolves when the worker has exited and all its messages were received. `line` is the reason that the worker
     * reported; undefined if it reported none.
     */
    ended: endOf(worker).then((status) => ({ status, line })),
    /** Sends a question to the worker, and resolves with the answer. Never resolves if the worker does not answer. */
    ask<Question extends keyof WorkerAnswers>(question: Question) {
      const answer = asked.get(question) ?? Promise.withResolvers<unknown>();
      asked.set(question, answer);
      send(question);
      return answer.promise as Promise<WorkerAnswers[Question]>;
    },
    command: (kind: 'stop' | 'cut') => send(kind),
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
