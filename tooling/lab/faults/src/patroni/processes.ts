import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A program that runs until it is killed. */
export interface Program {
  readonly pid: number;
  /** The end of its output. */
  log(): Promise<string>;
  signal(signal: NodeJS.Signals): void;
  /** Resolves when it has ended. */
  kill(): Promise<void>;
}

/** The length of the log's end, in characters. */
const LOG_SHOWN = 3000;

/** Starts a program; its output is in the file `NAME.log` of the folder. */
export function startProgram(
  name: string,
  args: readonly string[],
  { folder, ...options }: SpawnOptions & { readonly folder: string },
): Program {
  const file = join(folder, `${name}.log`);
  const output = openSync(file, 'a', 0o644);
  const { PATH = '' } = process.env;
  const child = spawn(name, args, {
    ...options,
    cwd: '/',
    env: { PATH, LC_ALL: 'C', TZ: 'UTC', HOME: folder },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const ended = once(child, 'exit');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid as number,
    log: async () => (await readFile(file, 'utf8')).slice(-LOG_SHOWN),
    signal: (signal) => void child.kill(signal),
    async kill() {
      if (!hasEnded()) child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The processes of the PostgreSQL in a data folder, the postmaster first. */
export async function postgresProcesses(data: string): Promise<readonly number[]> {
  const [pid = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  // A killed server leaves its process id behind, which may be reused.
  if (pid === '' || !commandLine.includes(data)) return [];
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return [pid, ...children.split(' ').filter(Boolean)].map(Number);
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Whether a process exists and is not a zombie, which waits for its parent only. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z';
}
