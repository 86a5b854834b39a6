import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { tracked } from '../machine/children.ts';
import { pinned } from '../machine/cores.ts';
import type { LoadPlan, LoadResult } from './plan.ts';

const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url));

/** A load that is under way. */
export interface Load {
  /** Rejects when an answer was not the expected one. */
  readonly result: Promise<LoadResult>;
  /** Ends it early; what was answered until then is the result. */
  stop(): void;
}

/** Sends requests from a process of its own, tied to `cores`. */
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
