import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Readings, ReadingTask } from './reading-thread.ts';

const THREAD = new URL('reading-thread.ts', import.meta.url);

/** A healthy client on one connection, in a thread of its own: what else goes on here does not slow it down. */
export interface Reader {
  stop(): Promise<Readings>;
}

export async function startReader(task: ReadingTask): Promise<Reader> {
  const thread = new Worker(THREAD, { workerData: task, execArgv: [] });
  await once(thread, 'online');
  return {
    async stop() {
      const answered = once(thread, 'message');
      thread.postMessage('stop');
      const [readings] = await answered;
      return readings;
    },
  };
}

/** What this part of the times is not longer than, in milliseconds. */
export function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}
