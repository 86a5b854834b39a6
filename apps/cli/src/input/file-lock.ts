import { readFile, rm, writeFile } from 'node:fs/promises';
import { CommandError } from '../errors/command-error.ts';
import { quote } from '../output/printable.ts';

/**
 * Locks a file against other runs of the command by a file beside it, until the lock is disposed of. A lock whose process has
 * ended does not count. In a folder where no file can be made, there is no lock.
 *
 * @throws CommandError `conflict` if another process has it
 */
export async function lockFile(path: string): Promise<AsyncDisposable> {
  const lock = `${path}.lock`;
  for (let isSecond = false; ; isSecond = true) {
    const code = await writeFile(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 }).then(
      () => undefined,
      (error) => String(error.code),
    );
    if (code === undefined) return { [Symbol.asyncDispose]: () => rm(lock, { force: true }) };
    if (code !== 'EEXIST') return { [Symbol.asyncDispose]: async () => undefined };
    const holder = Number(await readFile(lock, 'utf8').catch(() => 'none'));
    if (isSecond || isRunning(holder)) {
      throw new CommandError(
        'conflict',
        `Another process (${holder}) writes to ${quote(path)}. If it does not, remove ${quote(lock)}.`,
      );
    }
    await rm(lock, { force: true });
  }
}

/** One that is not there yet, or not anymore, is not running; nor is what is no number. */
function isRunning(id: number): boolean {
  if (!Number.isSafeInteger(id) || id < 1) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // It belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
