import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ClusterPaths } from './cluster.ts';

const run = promisify(execFile);

/** What a running server says of itself in its `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** PostgreSQL writes the file in two steps; an older one that is empty is the remnant of a power cut. */
const HALF_WRITTEN_MS = 2_000;

/**
 * The server that runs on this cluster, ready or not. A file that a killed server left behind counts as none; it
 * is removed if PostgreSQL would take it for another server's, because its process id was given away again or
 * nobody waited for it. Should children of the killed server still run, PostgreSQL knows by their shared memory.
 */
export async function findPostmaster(paths: ClusterPaths): Promise<Postmaster | undefined> {
  const text = await readIfThere(paths.postmasterFile);
  if (text === undefined) return undefined;
  const [pid, , , port, , , , status] = text.split('\n');
  if (await isPostmaster(Number(pid), paths.data)) {
    return { pid: Number(pid), port: Number(port), ready: status?.trim() === 'ready' };
  }
  if (isAlive(Number(pid)) || (text === '' && (await isOld(paths.postmasterFile)))) {
    await removeUnlessReplaced(paths.postmasterFile, text);
  }
  return undefined;
}

/** Whether the process still exists; one that was not yet waited for by its parent does. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A process id may belong to anything by now: only its command line tells. */
async function isPostmaster(pid: number, dataDirectory: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const commandLine =
    process.platform === 'linux'
      ? await readIfThere(`/proc/${pid}/cmdline`)
      : (await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => undefined))?.stdout;
  return commandLine?.includes(dataDirectory) ?? false;
}

async function isOld(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => undefined);
  return file !== undefined && Date.now() - file.mtimeMs > HALF_WRITTEN_MS;
}

async function removeUnlessReplaced(path: string, text: string): Promise<void> {
  if ((await readIfThere(path)) === text) await rm(path, { force: true });
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) {
      return undefined;
    }
    throw error;
  }
}
