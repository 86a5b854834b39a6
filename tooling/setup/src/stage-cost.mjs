import { readFileSync } from 'node:fs';

/**
 * Measures a stage of `npm test` from now on.
 * @returns {() => string} its time and CPU, such as `5 min 12 s, 480 s of CPU`
 */
export function measureStage() {
  const [startedAt, cpuBefore] = [performance.now(), cpuOfChildren()];
  return () => {
    const took = durationOf((performance.now() - startedAt) / 1000);
    const cpu = cpuOfChildren();
    return cpu === undefined || cpuBefore === undefined
      ? took
      : `${took}, ${Math.round(cpu - cpuBefore)} s of CPU`;
  };
}

/** @param {number} seconds */
export function durationOf(seconds) {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/**
 * Returns the CPU time of the processes that this one started and waited for, and of their children, in seconds;
 * undefined if the system does not report it. It lacks processes that their parent left running.
 */
function cpuOfChildren() {
  try {
    // proc(5): cutime and cstime, in ticks of 10 ms. The second field, the program's name, may have spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return undefined;
  }
}
