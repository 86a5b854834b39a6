import { execFile } from 'node:child_process';
import { readdir, readlink, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, readIfThere } from './files.ts';

const run = promisify(execFile);

/** Returns whether the process exists, even as a zombie. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Returns whether the process is a PostgreSQL server that was started on this data directory. The process id may have
 * been reused, even by another program that has the directory on its command line. Therefore the user and the program
 * of the process must match, too.
 */
export async function isPostmaster(pid: number, dataDirectory: string): Promise<boolean> {
  const matches = process.platform === 'linux' ? isPostmasterByProc : isPostmasterByPs;
  return isAlive(pid) && matches(pid, dataDirectory);
}

async function isPostmasterByProc(pid: number, dataDirectory: string): Promise<boolean> {
  const [owner, process] = await Promise.all([
    stat(dataDirectory),
    stat(`/proc/${pid}`).catch(() => undefined),
  ]);
  if (process?.uid !== owner.uid) return false;
  const [program = '', ...args] = (await readIfThere(`/proc/${pid}/cmdline`))?.split('\0') ?? [];
  if (basename(program) !== 'postgres' || args[args.indexOf('-D') + 1] !== dataDirectory) return false;
  // The link to the program is not always readable, in a container not even by root. Then the program counts as
  // `postgres`. If the file of the program was removed, the link ends with `(deleted)`.
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
 * Returns whether the data directory is the working directory of a process. It is the working directory of every
 * process of a PostgreSQL server on it. Only Linux shows working directories. If Linux hides the working directory of a
 * process, as in a container without CAP_SYS_PTRACE, every PostgreSQL process of the owner of the directory counts.
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
