import { execFile } from 'node:child_process';
import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { codeOf } from './files.ts';

const run = promisify(execFile);

/** As the system allows them when it follows a path. */
const MAX_LINKS = 40;

/**
 * Keeps root away from data folders that other users can put another one in the place of, at any time: they would choose
 * what root writes to, changes the mode of, or gives away. Every folder and link that the system passes when it follows
 * the absolute path has to belong to root, and only root and root's group may replace what is in it: in a folder with the
 * sticky bit, as /tmp has it, no other user can replace what belongs to root. Looks no further than to the first that is not there.
 *
 * @throws {EmbeddedPostgresError} as root, where a part of the path, or of what it links to, is in the hands of others
 */
export async function refuseForeignFolders(path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  let folder: string = sep;
  await refuseForeign(folder, await lstat(folder));
  const names = namesIn(path);
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const entry = join(folder, name);
    const found = await lstat(entry).catch(undefinedIfMissing);
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
    throw new EmbeddedPostgresError(
      'folder_of_another_user',
      `${path} belongs to ${name ?? `the user ${found.uid}`}, who could make root change any file of this machine through it: run this as that user, such as \`${asUser(name, found)} npx gatehouse doctor\`, or choose a data folder in folders of root.`,
    );
  }
  const others = found.isDirectory() ? whoMayReplace(found) : undefined;
  if (others !== undefined) {
    throw new EmbeddedPostgresError(
      'folder_of_another_user',
      `${others} can replace what is in ${path}, and could make root change any file of this machine through it: run \`chmod go-w ${path}\`, or choose a data folder in folders of root.`,
    );
  }
}

/** Who, other than root and its group, can replace what root has in a folder of root. */
function whoMayReplace({ mode, gid }: Stats): string | undefined {
  if ((mode & 0o1000) !== 0) return undefined;
  if ((mode & 0o002) !== 0) return 'Every user';
  return (mode & 0o020) !== 0 && gid !== 0 ? `Every user of the group ${gid}` : undefined;
}

function undefinedIfMissing(error: unknown): undefined {
  // Whatever else is in the place of a folder is said when it is used as one.
  if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
}

function asUser(name: string | undefined, { uid, gid }: Stats): string {
  return name === undefined
    ? `setpriv --reuid ${uid} --regid ${gid} --clear-groups --`
    : `runuser -u ${name} --`;
}

/** In a container, the number of a user may have no name. */
async function nameOf({ uid }: Stats): Promise<string | undefined> {
  try {
    return (await run('id', ['-nu', String(uid)])).stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
