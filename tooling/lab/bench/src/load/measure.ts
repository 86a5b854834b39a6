import type { Cores } from '../machine/cores.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import type { LoadPlan } from './plan.ts';
import { startLoad } from './start-load.ts';
import { loadByWrk } from './wrk.ts';

/** The cost and the throughput of one load on one server. */
export interface Sample {
  readonly cpuMicroseconds: number;
  readonly requestsPerSecond: number;
  /** The share of the time that the server used its core; near 1, it was at its limit. */
  readonly busy: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Loads a server, and divides the CPU time that it used by its responses. */
export async function measure(
  server: ServerProcess,
  plan: Omit<LoadPlan, 'url'>,
  cores: Cores | undefined,
): Promise<Sample> {
  const before = server.usage();
  const to = { ...plan, url: server.announcement.url };
  const { answered, seconds, ...latencies } = await (plan.by === 'wrk'
    ? loadByWrk(to, cores?.load)
    : startLoad(to, cores?.load).result);
  const cpuSeconds = server.usage().cpuSeconds - before.cpuSeconds;
  return {
    cpuMicroseconds: (cpuSeconds * 1e6) / answered,
    requestsPerSecond: answered / seconds,
    busy: cpuSeconds / seconds,
    ...latencies,
  };
}
