import { execFile } from 'node:child_process';
import { readdir, readlink, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, readIfThere } from './files.ts';

const run = promisify(execFile);

/** Returns whether the process exists; a zombie does. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Returns whether the process is a PostgreSQL that was started on this data directory. The process id may have been reused,
 * even by another program that has the directory on its command line. Therefore its user and its program must match, too.
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
  // The program's file may have been removed, and is not always readable: in a container not even by root.
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
 * Returns whether a process has the data directory as its working directory, as all processes of a PostgreSQL have. Only
 * Linux shows working directories. If it hides that of a process, as in a container without CAP_SYS_PTRACE, every PostgreSQL
 * of the directory's owner counts.
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
