import { readFileSync } from 'node:fs';
import { familyOf } from './process-usage.ts';

/**
 * Returns the memory of a process and of all that it started, in bytes. Each shared page is divided among the processes
 * that share it (PSS), so the sum over all processes counts it once. Processes of another user are not readable.
 */
export function proportionalBytesOf(pid: number): number {
  let bytes = 0;
  for (const each of familyOf(pid)) bytes += parseProportionalBytes(readRollup(each));
  return bytes;
}

/** proc_pid_smaps(5): the line `Pss` is the sum over all mappings of the process. */
export function parseProportionalBytes(rollup: string): number {
  return Number(/^Pss:\s*(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024;
}

/** Empty if the process has exited meanwhile. */
function readRollup(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  } catch {
    return '';
  }
}
