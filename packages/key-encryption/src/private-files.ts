import { realpathSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { systemCode } from './system-errors.ts';

/** The user for whom permissions are checked. Tests pass another user, because the tests run as one user only. */
interface CurrentUser {
  readonly uid: number;
  readonly name: string;
}

interface FileRules {
  /**
   * Whether the group may read a file that belongs to root. Root can hand a key to a service in this way; PostgreSQL
   * has the same rule for its server key. Default: false.
   */
  readonly groupMayRead?: boolean;
  readonly user?: CurrentUser;
}

/**
 * Returns why a file with a secret is not private to the current user, in one line with the command that fixes it;
 * undefined if the file is private. The file must belong to the current user or to root. If the current user is root,
 * the file may belong to any user, such as the user of a service.
 */
export function fileExposure(
  path: string,
  { mode, uid }: Pick<Stats, 'mode' | 'uid'>,
  { groupMayRead = false, user = currentUser() }: FileRules = {},
): string | undefined {
  const exposed = mode & (groupMayRead && uid === 0 ? 0o026 : 0o066);
  const verb = (exposed & 0o022) === 0 ? 'read' : 'change';
  const danger = exposed === 0 ? undefined : `${verb} ${path}`;
  return exposure(path, { mode, uid }, user, danger, `chmod 600 ${quoted(path)}`);
}

interface FolderRules {
  /**
   * Whether the folder may be shared: other users may have files in a folder with the sticky bit, and the group may
   * write in a folder of root. Default: false.
   */
  readonly shared?: boolean;
  readonly user?: CurrentUser;
}

/**
 * Returns why other users could replace files in a folder, in one line with the command that fixes it; undefined if
 * they cannot. Other users may list the files of the folder.
 */
export function folderExposure(
  path: string,
  { mode, uid }: Pick<Stats, 'mode' | 'uid'>,
  { shared = false, user = currentUser() }: FolderRules = {},
): string | undefined {
  const exposed = mode & (shared && uid === 0 ? 0o002 : 0o022);
  const isSticky = shared && (mode & 0o1000) !== 0;
  const danger = exposed === 0 || isSticky ? undefined : `write in ${path}`;
  return exposure(path, { mode, uid }, user, danger, `chmod go-w ${quoted(path)}`);
}

/** @param danger what other users can do; undefined if nothing */
function exposure(
  path: string,
  { mode, uid }: Pick<Stats, 'mode' | 'uid'>,
  user: CurrentUser,
  danger: string | undefined,
  mend: string,
): string | undefined {
  const isOurs = uid === user.uid || user.uid === 0;
  const asRoot = `as root \`chown ${user.name} ${quoted(path)} && ${mend}\``;
  if (!isOurs && uid !== 0) return `${path} belongs to another user (uid ${uid}): run ${asRoot}`;
  if (danger === undefined) return undefined;
  const octal = (mode & 0o7777).toString(8).padStart(4, '0');
  return `other users can ${danger} (mode ${octal}): run ${isOurs ? `\`${mend}\`` : asRoot}`;
}

/**
 * Returns why a file or pipe that a setting names is not private, in one line with the command that fixes it. An
 * operator manages the file: root may own the file and let a group read it. Other users must not be able to replace the
 * file, so its folder is checked as well.
 */
export function namedFileExposure(path: string, status: Stats): string | undefined {
  const exposure = fileExposure(path, status, { groupMayRead: true });
  if (exposure !== undefined) return exposure;
  try {
    // If the path contains symbolic links, such as in a mounted secret, only the folder of the real file matters.
    return exposureOfFolder(dirname(realpathSync(path)), { shared: true });
  } catch (error) {
    // A pipe that a shell makes by `<(...)` has no name, so it is in no folder.
    if (status.isFIFO() && systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the `fileExposure` of the file at the path; undefined if there is no file. */
export function exposureOfFile(path: string, rules?: FileRules): string | undefined {
  const status = statusOf(path);
  return status?.isFile() ? fileExposure(path, status, rules) : undefined;
}

/** Returns the `folderExposure` of the folder at the path; undefined if there is no folder. */
export function exposureOfFolder(path: string, rules?: FolderRules): string | undefined {
  const status = statusOf(path);
  return status?.isDirectory() ? folderExposure(path, status, rules) : undefined;
}

/** Returns undefined if the file cannot be inspected. The code that opens the file later reports why. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Quotes a path for a POSIX shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** The user whom this process runs as. */
export function currentUser(): CurrentUser {
  const uid = process.geteuid?.() ?? 0;
  try {
    return { uid, name: userInfo().username };
  } catch {
    // The uid may have no name, as in a container.
    return { uid, name: String(uid) };
  }
}
