import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const SAMPLE_EVERY_MS = 50;

/** Returns the resident memory of a process, in megabytes. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Measures the maximum growth of a process's memory for a time, in megabytes; stops early at a growth of `enoughMb`. */
export async function highestGrowthMb(pid: number, forMs: number, enoughMb: number): Promise<number> {
  const beforeMb = await residentMb(pid);
  const until = performance.now() + forMs;
  let growth = 0;
  while (performance.now() < until && growth < enoughMb) {
    growth = Math.max(growth, (await residentMb(pid)) - beforeMb);
    await delay(SAMPLE_EVERY_MS);
  }
  return growth;
}
