import type { ServerProcess } from '../servers/server-process.ts';
import type { Sample } from './measure.ts';
import type { LoadPlan } from './plan.ts';
import { startLoad } from './start-load.ts';

/**
 * Loads a server from one process on each of these cores, because one process sends fewer requests than a few workers answer.
 * The times are those of the process with the longest ones.
 *
 * @param plan the load of each process
 */
export async function measureBySeveral(
  server: ServerProcess,
  plan: Omit<LoadPlan, 'url'>,
  cores: readonly (number | undefined)[],
): Promise<Sample> {
  const before = server.usage();
  const to = { ...plan, url: server.announcement.url };
  const loads = cores.map((core) => startLoad(to, core === undefined ? undefined : `${core}`));
  const results = await Promise.all(loads.map(({ result }) => result));
  const cpuSeconds = server.usage().cpuSeconds - before.cpuSeconds;
  const longest = (times: readonly number[]) => Math.max(...times);
  const answered = results.reduce((sum, result) => sum + result.answered, 0);
  const seconds = longest(results.map((result) => result.seconds));
  return {
    cpuMicroseconds: (cpuSeconds * 1e6) / answered,
    requestsPerSecond: answered / seconds,
    busy: cpuSeconds / seconds,
    p50Ms: longest(results.map(({ p50Ms }) => p50Ms)),
    p99Ms: longest(results.map(({ p99Ms }) => p99Ms)),
    maxMs: longest(results.map(({ maxMs }) => maxMs)),
  };
}
