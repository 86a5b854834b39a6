import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Starts a program in a thread of its own, so that other work does not slow it down. */
export async function startThread<Result>(program: URL, task: unknown) {
  const thread = new Worker(program, { workerData: task, execArgv: [] });
  await once(thread, 'online');
  return {
    /** Tells it to stop, and resolves with the message that it answers. */
    async stop(): Promise<Result> {
      const answered = once(thread, 'message');
      thread.postMessage('stop');
      const [result] = await answered;
      await thread.terminate();
      return result;
    },
  };
}
