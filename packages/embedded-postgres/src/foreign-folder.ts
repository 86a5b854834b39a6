import { execFile } from 'node:child_process';
import { lstatSync, type Stats } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { ForeignFolderError } from './embedded-postgres-error.ts';

const run = promisify(execFile);

/** The largest number of links that the operating system follows in a path. */
const MAX_LINKS = 40;

/**
 * Keeps root away from data folders that other users can replace. Such users would choose which files root writes to, gives
 * away, or changes the mode of. Every folder and link on the absolute path must belong to root, and only root and root's
 * group may replace its entries. In a folder with the sticky bit, such as /tmp, other users cannot replace entries that
 * belong to root. The check ends at the first part of the path that does not exist.
 *
 * @throws {ForeignFolderError} as root, if another user controls a part of the path or of a link's target
 */
export async function refuseForeignFolders(path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  let folder: string = sep;
  await refuseForeign(folder, lstatSync(folder));
  const names = namesIn(path);
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const entry = join(folder, name);
    // An entry that is not a folder is no concern of this check: the use of the path reports it.
    const found = lstatSync(entry, { throwIfNoEntry: false });
    if (found === undefined) return;
    await refuseForeign(entry, found);
    if (found.isSymbolicLink()) {
      links += 1;
      if (links > MAX_LINKS) return;
      const target = await readlink(entry);
      if (isAbsolute(target)) folder = sep;
      names.unshift(...namesIn(target));
    } else {
      folder = entry;
    }
  }
}

function namesIn(path: string): string[] {
  return path.split(sep).filter((name) => name !== '');
}

async function refuseForeign(path: string, found: Stats): Promise<void> {
  if (found.uid !== 0) {
    const name = await nameOf(found);
    throw new ForeignFolderError(
      `${path} belongs to ${name ?? `the user ${found.uid}`}, who could make root change any file of this machine through it: run this as that user, such as \`${asUser(name, found)} ./gatehouse doctor\`, or choose a data folder in folders of root.`,
    );
  }
  const others = found.isDirectory() ? whoMayReplace(found) : undefined;
  if (others !== undefined) {
    throw new ForeignFolderError(
      `${others} can replace what is in ${path}, and could make root change any file of this machine through it: run \`chmod go-w ${path}\`, or choose a data folder in folders of root.`,
    );
  }
}

/** Returns which users, other than root and its group, can replace root's entries in a folder of root. */
function whoMayReplace({ mode, gid }: Stats): string | undefined {
  if ((mode & 0o1000) !== 0) return undefined;
  if ((mode & 0o002) !== 0) return 'Every user';
  return (mode & 0o020) !== 0 && gid !== 0 ? `Every user of the group ${gid}` : undefined;
}

function asUser(name: string | undefined, { uid, gid }: Stats): string {
  return name === undefined
    ? `setpriv --reuid ${uid} --regid ${gid} --clear-groups --`
    : `runuser -u ${name} --`;
}

/** Returns undefined if the uid has no name, as in a container. */
async function nameOf({ uid }: Stats): Promise<string | undefined> {
  try {
    return (await run('id', ['-nu', String(uid)])).stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
