import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { tracked } from '../machine/children.ts';
import { pinned } from '../machine/cores.ts';
import type { LoadPlan, LoadResult } from './plan.ts';

const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url));

/** A running load. */
export interface Load {
  /** Rejects if a response was not the expected one. */
  readonly result: Promise<LoadResult>;
  /** Stops it early; the result covers the responses until then. */
  stop(): void;
}

/** Sends requests from a separate process, pinned to `cores`. */
export function startLoad(plan: LoadPlan, cores: string | undefined): Load {
  const child = tracked(spawn(...pinned(cores, process.execPath, [GENERATOR]), { stdio: 'pipe' }));
  let [output, complaint] = ['', ''];
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  child.stdin.write(`${JSON.stringify(plan)}\n`);
  const result = new Promise<LoadResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) resolve(JSON.parse(output));
      else reject(new Error(`the load on ${plan.url} failed: ${complaint.trim()}`));
    });
  });
  return { result, stop: () => child.stdin.end() };
}
