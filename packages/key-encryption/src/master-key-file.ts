import { constants, type Stats } from 'node:fs';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Result } from '@gatehouse/domain';
import type { MasterKeyUnusable } from '@gatehouse/domain/signing-keys';
import { createMasterKey, type MasterKey, masterKeyProblem, parseMasterKey, unusable } from './master-key.ts';
import { fileExposure, namedFileExposure } from './private-files.ts';
import { secretText } from './secret-text.ts';
import { reason, systemCode } from './system-errors.ts';
import { whyUnreadable } from './unreadable-file.ts';
import { type FileAccess, synchronize, writeOnce } from './write-once.ts';

/**
 * The rules for a master key file. Files that operators manage and files that Gatehouse creates have different rules.
 */
export interface MasterKeyFileRules {
  /**
   * Whether an operator manages the file. Root may then own the file and let a group read it, and the folder of the
   * file is checked as well. The data folder has a check of its own.
   */
  readonly ofOperator: boolean;
  /**
   * Whether the file may be a pipe, such as a shell's `<(...)`. In a shared folder, another user could create a pipe
   * that never ends, and the server would read it without end.
   */
  readonly mayBePipe: boolean;
}

export const NAMED_FILE: MasterKeyFileRules = { ofOperator: true, mayBePipe: true };
/** The rules for the file with the next master key, which lies beside the file that a setting names. */
export const NEXT_FILE: MasterKeyFileRules = { ofOperator: true, mayBePipe: false };
/** The rules for a file in the data folder. Gatehouse creates such a file with mode 0600. */
export const DATA_FOLDER_FILE: MasterKeyFileRules = { ofOperator: false, mayBePipe: false };

type FileOwnership = Pick<Stats, 'uid' | 'gid' | 'mode'>;

const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Reads a master key from a private file. A line feed may follow the key. */
export async function readMasterKeyFile(
  path: string,
  rules: MasterKeyFileRules = NAMED_FILE,
): Promise<Result<MasterKey, MasterKeyUnusable>> {
  // If the setting contains the master key itself instead of a path, it is refused without an attempt to open it,
  // because the error message of that attempt would print the key as the path.
  if (parseMasterKey(path).ok) return unusable('the value must be the name of a file, but is a master key');
  let bytes: Buffer;
  try {
    const pipe = rules.mayBePipe ? await stat(path) : undefined;
    // Opening a pipe waits for a writer. If another user created the pipe, this wait might never end.
    const danger = pipe?.isFIFO() ? exposureOf(path, pipe, rules) : undefined;
    if (danger !== undefined) return unusable(danger);
    await using file = await open(path, rules.mayBePipe ? constants.O_RDONLY : WITHOUT_WAITING);
    const status = await file.stat();
    if (!rules.mayBePipe && !status.isFile()) return unusable(`${path} is not a regular file`);
    const isPrivate = status.isFile() || status.isFIFO();
    const exposure = isPrivate ? exposureOf(path, status, rules) : undefined;
    if (exposure !== undefined) return unusable(exposure);
    bytes = await file.readFile();
  } catch (error) {
    return unusable(`${path} cannot be read: ${whyUnreadable(path, error)}`);
  }
  const parsed = parseMasterKey(textOf(bytes).trim());
  return parsed.ok ? parsed : unusable(`${path} contains no master key: it ${parsed.error.message}`);
}

/** Decodes the file. For an unknown encoding, returns an empty text, which is not a valid master key. */
function textOf(bytes: Buffer): string {
  try {
    return secretText(bytes);
  } catch {
    return '';
  }
}

function exposureOf(path: string, status: Stats, { ofOperator }: MasterKeyFileRules) {
  return ofOperator ? namedFileExposure(path, status) : fileExposure(path, status);
}

/** Returns the path of the file with the next master key, which will replace this file. */
export function nextMasterKeyPath(path: string): string {
  return `${path}.new`;
}

/**
 * Reads the master key file and the file of the next master key, and leaves out a file that cannot be read. Reads the
 * next master key first: if another process renames its file to the master key file in between, the second read finds
 * that key.
 */
export async function readMasterKeyFiles(path: string): Promise<readonly MasterKey[]> {
  const next = await readMasterKeyFile(nextMasterKeyPath(path), NEXT_FILE);
  const current = await readMasterKeyFile(path);
  return [current, next].flatMap((found) => (found.ok ? [found.value] : []));
}

/**
 * Stores a new master key durably in a file that does not exist yet. Only the owner can read the file. An existing file
 * is never changed: of several concurrent calls, one creates the file.
 *
 * @param like the file that the new file will replace. If its group can read it, the group can also read the new file.
 */
export async function createMasterKeyFile(
  path: string,
  text: string = createMasterKey(),
  like?: FileOwnership,
): Promise<MasterKeyUnusable | undefined> {
  const folder = dirname(path);
  try {
    const existing = await stat(path).catch((error: unknown) => {
      if (systemCode(error) !== 'ENOENT') throw error;
    });
    if (existing) return undefined;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeOnce(path, `${text}\n`, accessLike(like ?? { ...(await stat(folder)), mode: 0 }));
    return undefined;
  } catch (error) {
    return masterKeyProblem(`a master key cannot be stored in ${folder}: ${reason(error)}`);
  }
}

/**
 * Gives a file the owner and the mode of the file that it will replace. Otherwise, a file that an operator created
 * would still belong to the operator. Does not follow symbolic links, because that would change another file.
 */
export async function giveAccess(path: string, like: FileOwnership): Promise<MasterKeyUnusable | undefined> {
  const { mode } = accessLike(like);
  const failed = (why: string) =>
    masterKeyProblem(
      `${path} cannot be given the owner and the mode of the file that it will replace: ${why}`,
    );
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const status = await file.stat();
    const foreign = foreignFile(path, status, like);
    if (foreign !== undefined) return masterKeyProblem(foreign);
    const isOwned = status.uid === like.uid && (status.gid === like.gid || (mode & 0o040) === 0);
    if (isOwned && (status.mode & 0o7777) === mode) return undefined;
    if (!status.isFile() || status.nlink !== 1) return failed('it is not a regular file with one name');
    if (!isOwned) await file.chown(like.uid, like.gid);
    await file.chmod(mode);
    await file.sync();
    return undefined;
  } catch (error) {
    return failed(reason(error));
  }
}

/**
 * Returns why a file must not replace another file: it belongs to a user who is neither root, nor the current user, nor
 * the owner of the other file. In a shared folder, such as one with the sticky bit, any user can create files.
 */
function foreignFile(
  path: string,
  { uid }: Pick<Stats, 'uid'>,
  like: Pick<Stats, 'uid'> | undefined,
): string | undefined {
  if (uid === 0 || uid === process.geteuid?.() || uid === like?.uid) return undefined;
  return `${path} belongs to another user (uid ${uid}): if you did not create this file, remove it. Otherwise, give it the owner of the file that it will replace`;
}

/**
 * Returns why the file of the next master key must not replace the current master key file; undefined if it may replace
 * that file, or if it does not exist.
 */
export async function foreignNextFile(current: string): Promise<string | undefined> {
  const path = nextMasterKeyPath(current);
  const [status, like] = await Promise.all([path, current].map((file) => stat(file).catch(() => undefined)));
  return status && foreignFile(path, status, like);
}

/**
 * Returns the owner and the mode for a new file, so that the users who can read the given file can also read the new
 * file. If the process runs as root, the new file gets the owner of the given file, such as the user of a service.
 */
function accessLike({ uid, gid, mode }: FileOwnership): FileAccess {
  const isRoot = process.geteuid?.() === 0;
  return { mode: 0o600 | (mode & 0o040), owner: isRoot ? { uid, gid } : undefined };
}

/** Renames a file durably. At any time, a reader of the target finds either the old file or the new file. */
export async function moveMasterKeyFile(from: string, to: string): Promise<MasterKeyUnusable | undefined> {
  try {
    await rename(from, to);
    await synchronize(dirname(to));
    return undefined;
  } catch (error) {
    return masterKeyProblem(`${from} cannot be renamed to ${to}: ${reason(error)}`);
  }
}
