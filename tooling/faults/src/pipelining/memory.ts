import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const SAMPLE_EVERY_MS = 50;

export interface MemoryWatch {
  readonly pid: number;
  readonly forMs: number;
  /** Where to stop before the time is over, in megabytes above the beginning. */
  readonly untilMb: number;
}

/** Resident memory of a process, in megabytes. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** The most that a process's memory is above this, in megabytes. */
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
