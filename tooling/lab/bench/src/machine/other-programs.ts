import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { TICKS_PER_SECOND, usageOf } from './process-usage.ts';

/** Returns a function that tells which share of the machine's cores other programs have used since. */
export function watchOtherPrograms(): () => number {
  const begun = performance.now();
  const before = othersCpuSeconds();
  // Not availableParallelism(): this process may not use all cores.
  return () => {
    const seconds = (performance.now() - begun) / 1000;
    return Math.max(0, othersCpuSeconds() - before) / seconds / cpus().length;
  };
}

/** The CPU that was used by all programs but this one and those that it started. */
const othersCpuSeconds = () =>
  parseBusyTicks(readFileSync('/proc/stat', 'utf8')) / TICKS_PER_SECOND - usageOf(process.pid).cpuSeconds;

/** proc_stat(5): the time of all cores in user mode, with low priority, in the kernel, and for interrupts. */
export function parseBusyTicks(stat: string): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] =
    /^cpu +(.*)$/m.exec(stat)?.[1]?.split(' ').map(Number) ?? [];
  return user + nice + system + irq + softIrq;
}
