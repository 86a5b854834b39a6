import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { findBarrier } from './account.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/**
 * Matches the messages that PostgreSQL logs if it cannot start because another PostgreSQL server on the folder is
 * starting, running or stopping.
 */
export const OCCUPIED = /lock file .* (already exists|is empty)|pre-existing shared memory/;

/**
 * Returns the last fatal message of the process. Several processes may write to the log; each line has the id of its
 * process.
 */
export function lastFatal(said: string, pid: number | undefined): string | undefined {
  return said
    .split('\n')
    .filter((line) => line.includes(`[${pid}]`) && line.includes('FATAL:'))
    .at(-1)
    ?.replace(/^.*FATAL: */, '');
}

/**
 * Returns the options with which PostgreSQL's programs are spawned: as the cluster's account, with English messages,
 * and in a separate process group, so that Ctrl-C does not end them.
 */
export function programOptions({ account }: Cluster) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  return { ...account, cwd: '/', detached: true, env };
}

/** Returns the options of PostgreSQL's command line for these settings. */
export function settingFlags(settings: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(settings).flatMap((setting) => ['-c', setting.join('=')]);
}

/**
 * Returns the error for a program that failed. The error names a folder that the account of the program may not enter.
 * If there is no such folder, the error says `reason`.
 */
export async function programFailure({ account, paths }: Cluster, program: string, reason: string) {
  return new EmbeddedPostgresError((await findBarrier(account, [paths.data, program])) ?? reason);
}

/** Resolves with how a program ended, after all of its output (`close`) or at once (`exit`). */
export function endOf(program: ChildProcess, event: 'close' | 'exit'): Promise<string> {
  return once(program, event).then(([status, signal]) => `it ended with ${signal ?? status}`, String);
}
