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
 * Refuses a data folder if Gatehouse runs as root and other users can replace the folder. Such users would choose which
 * files root writes, gives to another user, or changes the mode of. Every folder and link on the absolute path must
 * belong to root, and only root and root's group may replace its entries. In a folder with the sticky bit, such as
 * /tmp, other users cannot replace entries that belong to root. The check stops at the first part of the path that does
 * not exist.
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
    // An entry that is not a folder is no error of this check. The later use of the path reports the error.
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
      `${path} belongs to ${name ?? `the user ${found.uid}`}, who could replace it and so make root change any file of this machine: run Gatehouse as that user, for example with \`${asUser(name, found)} ./gatehouse doctor\`, or choose a data folder whose parent folders all belong to root.`,
    );
  }
  const others = found.isDirectory() ? whoMayReplace(found) : undefined;
  if (others !== undefined) {
    throw new ForeignFolderError(
      `${others} can replace what is in ${path}, and so make root change any file of this machine: run \`chmod go-w ${path}\`, or choose a data folder whose parent folders only root can change.`,
    );
  }
}

/**
 * For a folder that belongs to root: describes who, besides root and root's group, can replace the files and folders of
 * root in it. Returns undefined if no other user can.
 */
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

/** Returns the name of a user; undefined if the user id has no name, as in a container. */
async function nameOf({ uid }: Stats): Promise<string | undefined> {
  try {
    return (await run('id', ['-nu', String(uid)])).stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
