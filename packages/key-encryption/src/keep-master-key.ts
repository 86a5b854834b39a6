import { link, lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { err, ok } from '@gatehouse/domain';
import { unusable } from './master-key.ts';
import { reason, systemCode } from './system-errors.ts';
import { synchronize } from './write-once.ts';

/**
 * Codes of the system errors with which keeping the master key file fails. They occur if the file is mounted alone, if
 * its folder is read-only or belongs to another user, or if the file system has no hard links.
 */
const OBSTACLES = new Set(['EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EROFS', 'EXDEV']);

/**
 * Keeps the master key file under a second name, `FILE.DAY`, before another key replaces the file. The kept file is
 * durable and has the same owner and mode. Overwrites no file: further keys of the same day are kept as `FILE.DAY.2`
 * and so on. If an interrupted attempt has already given the file a second name, returns that name. The second name is
 * a hard link: if the master key file cannot be replaced by a rename later, the hard link fails as well, before
 * anything has changed.
 *
 * @param day for example 2026-11-21
 */
export async function keepMasterKeyFile(path: string, day: string) {
  const folder = dirname(path);
  try {
    const current = await lstat(path);
    if (!current.isFile()) return notReplaceable(`${path} is a symbolic link or not a regular file`);
    for (const kept of await keptMasterKeyFiles(path)) {
      const { dev, ino } = await lstat(kept);
      if (dev === current.dev && ino === current.ino) return ok(kept);
    }
    return ok(await linkTo(path, `${path}.${day}`));
  } catch (error) {
    const said = reason(error);
    return OBSTACLES.has(systemCode(error) ?? '')
      ? notReplaceable(`files in ${folder} cannot get another name: ${said}`)
      : unusable(`${path} cannot be kept under a second name: ${said}`);
  }
}

/**
 * Returns the earlier master key files that `keepMasterKeyFile` kept for this file. Older backups of the database need
 * them.
 */
export async function keptMasterKeyFiles(path: string): Promise<readonly string[]> {
  const folder = dirname(path);
  return (await readdir(folder))
    .filter((name) => name.startsWith(`${basename(path)}.`) && /\.\d{4}-\d\d-\d\d(\.\d+)?$/.test(name))
    .map((name) => join(folder, name));
}

async function linkTo(path: string, name: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const kept = count === 1 ? name : `${name}.${count}`;
    try {
      await link(path, kept);
      await synchronize(dirname(kept));
      return kept;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** The result if the master key file cannot be replaced. The message says why. */
function notReplaceable(message: string) {
  return err({ code: 'not_replaceable', message });
}
