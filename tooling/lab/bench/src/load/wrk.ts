import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { tracked } from '../machine/children.ts';
import { pinned } from '../machine/cores.ts';
import type { LoadPlan, LoadRequest, LoadResult } from './plan.ts';

/** Returns undefined if `wrk` is not installed. It has no option for its version: it prints it with its usage. */
export function wrkVersion(): string | undefined {
  const { stdout } = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  return stdout?.split(' ')[1];
}

/** Sends the first request of the plan as fast as it is answered, from a process with one thread. */
export async function loadByWrk(plan: LoadPlan, cores: string | undefined): Promise<LoadResult> {
  const { path, headers }: LoadRequest = JSON.parse(readFileSync(plan.requests, 'utf8').split('\n')[0] ?? '');
  const running = promisify(execFile)(
    ...pinned(cores, 'wrk', [
      ...['--threads', '1', '--latency', '--connections', `${plan.connections}`],
      // wrk takes only whole seconds.
      ...['--duration', `${Math.ceil(plan.seconds ?? 1)}s`],
      ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
      `${plan.url}${path}`,
    ]),
  );
  tracked(running.child);
  return parseWrk((await running).stdout);
}

/** Throws if a request failed; wrk prints a line about errors only then. */
export function parseWrk(output: string): LoadResult {
  const bad = /^ *(?:Non-2xx|Socket errors).*$/m.exec(output);
  if (bad) throw new Error(`wrk: ${bad[0].trim()}`);
  const field = (pattern: RegExp) => pattern.exec(output)?.[1] ?? '';
  const answered = Number(field(/(\d+) requests in/));
  return {
    answered,
    seconds: answered / Number(field(/Requests\/sec: +(\S+)/)),
    p50Ms: milliseconds(field(/50% +(\S+)/)),
    p99Ms: milliseconds(field(/99% +(\S+)/)),
    maxMs: milliseconds(field(/Latency +\S+ +\S+ +(\S+)/)),
  };
}

function milliseconds(duration: string): number {
  const [, value, unit = ''] = /^([\d.]+)(us|ms|s)$/.exec(duration) ?? [];
  return Number(value) * ({ us: 0.001, ms: 1, s: 1_000 }[unit] ?? Number.NaN);
}
