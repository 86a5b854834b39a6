import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import type { Account } from './account.ts';

/**
 * Writes a file that only its owner can read. The file appears complete or not at all, and is never written through a
 * link that another user created.
 */
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

/**
 * Reads a file; undefined if it does not exist. While a file of `/proc` is read, its process may end, and the file then
 * counts as not existing.
 */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return undefined;
    throw error;
  }
}

/**
 * Removes a file that still has this text. A server that starts meanwhile may replace the file between any two steps.
 * If this function has moved away such a new file, it puts the file back, unless an even newer file exists.
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

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Sets the mode and the owner of a folder. The folder is opened without following links, and is changed through its
 * file descriptor. If another user replaces the path meanwhile, no other folder is changed.
 */
export async function changeFolder(
  path: string,
  change: { readonly mode?: (found: Stats) => number; readonly account?: Account | undefined },
): Promise<void> {
  await using folder = await open(path, FOLDER);
  const { mode, account } = change;
  if (mode !== undefined) await folder.chmod(mode(await folder.stat()));
  if (account !== undefined) await folder.chown(account.uid, account.gid);
}

/** Returns the code of a system error, such as ENOENT; undefined for any other error. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
