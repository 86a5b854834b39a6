import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const SAMPLE_EVERY_MS = 50;

export interface MemoryWatch {
  readonly pid: number;
  readonly forMs: number;
  /** The growth in megabytes at which to stop early. */
  readonly untilMb: number;
}

/** Returns the resident memory of a process, in megabytes. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Measures the maximum growth of a process's memory, in megabytes. */
export async function highestGrowthMb(
  beforeMb: number,
  { pid, forMs, untilMb }: MemoryWatch,
): Promise<number> {
  const until = performance.now() + forMs;
  let growth = 0;
  while (performance.now() < until && growth < untilMb) {
    growth = Math.max(growth, (await residentMb(pid)) - beforeMb);
    await delay(SAMPLE_EVERY_MS);
  }
  return growth;
}
