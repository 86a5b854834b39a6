import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A program in a thread of its own, so that other work does not slow it down. */
export interface Thread<Result> {
  /** Tells it to stop, and resolves with the message that it answers. */
  stop(): Promise<Result>;
}

export async function startThread<Result>(program: URL, task: unknown): Promise<Thread<Result>> {
  const thread = new Worker(program, { workerData: task, execArgv: [] });
  await once(thread, 'online');
  return {
    async stop() {
      const answered = once(thread, 'message');
      thread.postMessage('stop');
      const [result] = await answered;
      await thread.terminate();
      return result;
    },
  };
}
