import { randomUUID } from 'node:crypto';
import { lstat, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandError } from '../errors/command-error.ts';
import { quotePath } from '../output/printable.ts';
import { codeOf } from './own-file.ts';

/**
 * Locks a file against other runs of the command until the lock is disposed of. Each run creates a lock file beside the
 * file, with the id of its process in the name. Then it looks for lock files of other processes. At most one of several
 * concurrent runs gets the lock. Lock files of ended processes do not count, nor do lock files of other users, because
 * these cannot write to the locked file. If the folder is not writable, nothing is locked.
 *
 * @throws CommandError `conflict` if another process has the lock, or tries to get it
 */
export async function lockFile(path: string): Promise<AsyncDisposable> {
  const folder = dirname(path);
  const prefix = `${basename(path)}.lock.`;
  const own = `${prefix}${process.pid}.${randomUUID()}`;
  const release = () => rm(join(folder, own), { force: true });
  try {
    await writeFile(join(folder, own), '', { flag: 'wx', mode: 0o600 });
  } catch {
    return { [Symbol.asyncDispose]: async () => undefined };
  }
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || name === own || !(await isOurs(join(folder, name)))) continue;
    const holder = Number.parseInt(name.slice(prefix.length), 10);
    if (isAlive(holder)) {
      await release();
      throw new CommandError(
        'conflict',
        `Process ${holder} is writing to ${quotePath(path)}. If that process is not a gatehouse command, remove ${quotePath(join(folder, name))} and run the command again.`,
      );
    }
    await rm(join(folder, name), { force: true });
  }
  return { [Symbol.asyncDispose]: release };
}

function isAlive(id: number): boolean {
  if (!(id > 0)) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    // With EPERM, the process is running, but belongs to another user.
    return codeOf(error) === 'EPERM';
  }
}

async function isOurs(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && found.uid === (process.geteuid?.() ?? found.uid);
}
