import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import type { Account } from './account.ts';

/** Writes a file that only its owner can read: atomically, and never through a link that another user created. */
export async function writePrivately(path: string, text: string, account: Account | undefined) {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await using file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(text);
    if (account !== undefined) await file.chown(account.uid, account.gid);
    await file.sync();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Reads a file; undefined if it does not exist. A file of `/proc` may vanish with its process while it is read. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return undefined;
    throw error;
  }
}

/**
 * Removes a file that still has this text. A server that starts meanwhile may replace the file between any two steps: what
 * was taken by mistake is put back, unless there is a newer one.
 */
export async function removeUnlessReplaced(path: string, text: string): Promise<void> {
  if ((await readIfThere(path)) !== text) return;
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(path, aside);
    if ((await readIfThere(aside)) !== text) await link(aside, path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

/** Returns the code of a system error, such as ENOENT; undefined for any other error. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
