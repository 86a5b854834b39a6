import type { Readings, ReadingTask } from './reading-thread.ts';
import { startThread } from './thread.ts';

const THREAD = new URL('reading-thread.ts', import.meta.url);

/** Starts a healthy client on one connection. */
export const startReader = (task: ReadingTask) => startThread<Readings>(THREAD, task);

/** Returns the percentile of the times, in milliseconds. */
export function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}
