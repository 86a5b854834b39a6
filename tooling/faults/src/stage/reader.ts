import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Readings, ReadingTask } from './reading-thread.ts';

const THREAD = new URL('reading-thread.ts', import.meta.url);

/** A healthy client on one connection, in a separate thread, so that other work does not slow it down. */
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

/** Returns the percentile of the times, in milliseconds. */
export function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}
