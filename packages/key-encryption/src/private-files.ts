import { type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';

/** Whom the permissions are judged for. Tests name one, because they run as one user only. */
export interface CurrentUser {
  readonly uid: number;
  readonly name: string;
}

export interface FileRules {
  /**
   * Whether its group may read a file that belongs to root, which is how root hands a key to a service (the rule
   * that PostgreSQL has for its server key). False by default.
   */
  readonly groupMayRead?: boolean;
  readonly user?: CurrentUser;
}

/**
 * Why a file with a secret is not private to the current user, in one line with the command that mends it; undefined
 * where it is. It has to belong to that user or to root. Root may use the files of any user, as services have them.
 */
export function fileExposure(
  path: string,
  { mode, uid }: Pick<Stats, 'mode' | 'uid'>,
  { groupMayRead = false, user = currentUser() }: FileRules = {},
): string | undefined {
  const mend = `chmod 600 ${quoted(path)}`;
  if (belongsToAnother(uid, user)) {
    return `${path} belongs to another user (uid ${uid}): run as root ${takingOver(path, user, mend)}`;
  }
  const exposed = mode & (groupMayRead && uid === 0 ? 0o026 : 0o066);
  if (exposed === 0) return undefined;
  const verb = (exposed & 0o022) === 0 ? 'read' : 'change';
  return `other users can ${verb} ${path} (mode ${octal(mode)}): run ${
    uid === user.uid || user.uid === 0 ? `\`${mend}\`` : `as root ${takingOver(path, user, mend)}`
  }`;
}

export interface FolderRules {
  /**
   * Whether others may have files of their own in it, as where it has the sticky bit, or where it belongs to root and
   * its group may write. False by default.
   */
  readonly shared?: boolean;
  readonly user?: CurrentUser;
}

/** As `fileExposure`, for a folder in which others could replace the files. That they can list it does no harm. */
export function folderExposure(
  path: string,
  { mode, uid }: Pick<Stats, 'mode' | 'uid'>,
  { shared = false, user = currentUser() }: FolderRules = {},
): string | undefined {
  const mend = `chmod go-w ${quoted(path)}`;
  if (belongsToAnother(uid, user)) {
    return `${path} belongs to another user (uid ${uid}): run as root ${takingOver(path, user, mend)}`;
  }
  if (shared && (mode & 0o1000) !== 0) return undefined;
  if ((mode & (shared && uid === 0 ? 0o002 : 0o022)) === 0) return undefined;
  return `other users can write in ${path} (mode ${octal(mode)}): run ${
    uid === user.uid || user.uid === 0 ? `\`${mend}\`` : `as root ${takingOver(path, user, mend)}`
  }`;
}

/** `fileExposure` of what is at the path; undefined where no file is. */
export function exposureOfFile(path: string, rules?: FileRules): string | undefined {
  const status = statusOf(path);
  return status?.isFile() ? fileExposure(path, status, rules) : undefined;
}

/** `folderExposure` of what is at the path; undefined where no folder is. */
export function exposureOfFolder(path: string, rules?: FolderRules): string | undefined {
  const status = statusOf(path);
  return status?.isDirectory() ? folderExposure(path, status, rules) : undefined;
}

/** Undefined where it cannot be looked at: what needs it says why. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function belongsToAnother(uid: number, user: CurrentUser): boolean {
  return uid !== user.uid && uid !== 0 && user.uid !== 0;
}

function takingOver(path: string, { name }: CurrentUser, mend: string): string {
  return `\`chown ${name} ${quoted(path)} && ${mend}\``;
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

/** For a POSIX shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function currentUser(): CurrentUser {
  const uid = process.geteuid?.() ?? 0;
  try {
    return { uid, name: userInfo().username };
  } catch {
    // In a container, the number of a user may have no name.
    return { uid, name: String(uid) };
  }
}
