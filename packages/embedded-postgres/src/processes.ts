import { execFile } from 'node:child_process';
import { readdir, readlink, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, readIfThere } from './files.ts';

const run = promisify(execFile);

/** Whether the process still exists; one that was not yet waited for by its parent does. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Whether the process is a PostgreSQL that was started on this data directory. A process id may belong to anything by
 * now, also to something that has the directory on its command line: so its user and its program have to be right,
 * too.
 */
export async function isPostmaster(pid: number, dataDirectory: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  return process.platform === 'linux'
    ? isPostmasterByProc(pid, dataDirectory)
    : isPostmasterByPs(pid, dataDirectory);
}

async function isPostmasterByProc(pid: number, dataDirectory: string): Promise<boolean> {
  const [owner, process] = await Promise.all([
    stat(dataDirectory),
    stat(`/proc/${pid}`).catch(() => undefined),
  ]);
  if (process?.uid !== owner.uid) return false;
  const [program = '', ...args] = (await readIfThere(`/proc/${pid}/cmdline`))?.split('\0') ?? [];
  if (basename(program) !== 'postgres' || args[args.indexOf('-D') + 1] !== dataDirectory) return false;
  // Its program may be removed by now, and is not shown to everyone: in a container not even to root.
  const executable = await readlink(`/proc/${pid}/exe`).catch(() => 'postgres');
  return basename(executable).replace(/ \(deleted\)$/, '') === 'postgres';
}

async function isPostmasterByPs(pid: number, dataDirectory: string): Promise<boolean> {
  const tell = async (what: string) =>
    (await run('ps', ['-o', `${what}=`, '-p', String(pid)]).catch(() => undefined))?.stdout.trim() ?? '';
  const [executable, commandLine] = [await tell('comm'), await tell('command')];
  return basename(executable) === 'postgres' && commandLine.includes(` -D ${dataDirectory} `);
}

/**
 * Whether a process works in the data directory, as all of a PostgreSQL do; only Linux tells. Where it does not tell,
 * as in a container without CAP_SYS_PTRACE, each PostgreSQL of the directory's owner counts.
 */
export async function isInUse(dataDirectory: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const { uid } = await stat(dataDirectory);
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if ((await readlink(`/proc/${name}/cwd`)) === dataDirectory) return true;
    } catch (error) {
      if (codeOf(error) === 'EACCES' && (await isPostgresOf(uid, name))) return true;
    }
  }
  return false;
}

async function isPostgresOf(uid: number, pid: string): Promise<boolean> {
  const owner = await stat(`/proc/${pid}`).catch(() => undefined);
  return owner?.uid === uid && (await readIfThere(`/proc/${pid}/comm`))?.trim() === 'postgres';
}
