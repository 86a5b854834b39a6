import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Cluster } from './cluster.ts';

/** Logged by a PostgreSQL that cannot start because another one is running, starting or stopping. */
export const OCCUPIED = /lock file .* (already exists|is empty)|pre-existing shared memory/;

/** Returns the last fatal message of the process. Several processes may write; each line has the process id. */
export function lastFatal(said: string, pid: number | undefined): string | undefined {
  return said
    .split('\n')
    .filter((line) => line.includes(`[${pid}]`) && line.includes('FATAL:'))
    .at(-1)
    ?.replace(/^.*FATAL: */, '');
}

/**
 * Returns the options with which PostgreSQL's programs are spawned: as the cluster's account, with English messages, and in
 * a process group of their own, which Ctrl-C does not reach.
 */
export function programOptions({ account }: Cluster) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  return { ...account, cwd: '/', detached: true, env };
}

/** Resolves with how a program ended, after all of its output (`close`) or at once (`exit`). */
export function endOf(program: ChildProcess, event: 'close' | 'exit'): Promise<string> {
  return once(program, event).then(([status, signal]) => `it ended with ${signal ?? status}`, String);
}
