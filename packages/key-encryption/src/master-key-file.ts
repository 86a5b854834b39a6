import { constants, type Stats } from 'node:fs';
import { access, mkdir, open, realpath, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { err, type Result } from '@gatehouse/domain';
import {
  createMasterKey,
  type MasterKey,
  type MasterKeyProblem,
  masterKeyProblem,
  parseMasterKey,
} from './master-key.ts';
import { exposureOfFolder, fileExposure } from './private-files.ts';
import { type FileAccess, synchronize, systemCode, writeOnce } from './write-once.ts';

/** What makes a file private depends on who made it. */
export interface MasterKeyFileRules {
  readonly groupMayRead: boolean;
  /** Whether the folder is looked at here. The data folder is by itself, for all that is in it. */
  readonly folderCounts: boolean;
}

/** One that an operator keeps: root may own it and let a group read it. */
export const NAMED_FILE: MasterKeyFileRules = { groupMayRead: true, folderCounts: true };
/** One in the data folder, where Gatehouse makes it with mode 0600. */
export const DATA_FOLDER_FILE: MasterKeyFileRules = { groupMayRead: false, folderCounts: false };

/** Reads a private file that holds a master key and, perhaps, a line feed. */
export async function readMasterKeyFile(
  path: string,
  rules: MasterKeyFileRules = NAMED_FILE,
): Promise<Result<MasterKey, MasterKeyProblem>> {
  let text: string;
  try {
    await using file = await open(path);
    const status = await file.stat();
    // What is no file, such as the pipe of a shell's `<(...)`, has no name under which others could find it.
    const exposure = status.isFile() ? await exposureOf(path, status, rules) : undefined;
    if (exposure !== undefined) return err(masterKeyProblem(exposure));
    text = await file.readFile('utf8');
  } catch (error) {
    return err(masterKeyProblem(`${path} cannot be read: ${reason(error)}`));
  }
  const parsed = parseMasterKey(text.trim());
  return parsed.ok
    ? parsed
    : err(masterKeyProblem(`${path} holds no master key: it ${parsed.error.message}`));
}

async function exposureOf(
  path: string,
  status: Stats,
  { groupMayRead, folderCounts }: MasterKeyFileRules,
): Promise<string | undefined> {
  const exposure = fileExposure(path, status, { groupMayRead });
  if (exposure !== undefined || !folderCounts) return exposure;
  // Behind links, as a mounted secret has them, only the last folder decides which file it is.
  return exposureOfFolder(dirname(await realpath(path)), { shared: true });
}

/** Where the master key waits that is to take the place of the one in this file. */
export function nextMasterKeyPath(path: string): string {
  return `${path}.new`;
}

/**
 * Those that can be read of the file and of the one that is to take its place. In this order: whichever moment
 * it is at, one that replaces the other is not missed.
 */
export async function readMasterKeyFiles(path: string): Promise<readonly MasterKey[]> {
  const next = await readMasterKeyFile(nextMasterKeyPath(path));
  const current = await readMasterKeyFile(path);
  return [current, next].flatMap((found) => (found.ok ? [found.value] : []));
}

/**
 * Puts a new master key where there is no file yet, readable by its owner only and durable on return. Of
 * several that try at once, one does; a file that is there is never touched.
 */
export async function createMasterKeyFile(
  path: string,
  { text = createMasterKey(), like }: NewMasterKeyFile = {},
): Promise<MasterKeyProblem | undefined> {
  const folder = dirname(path);
  try {
    if (await exists(path)) return undefined;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeOnce(path, `${text}\n`, accessLike(like ?? { ...(await stat(folder)), mode: 0 }));
    return undefined;
  } catch (error) {
    return masterKeyProblem(`a master key cannot be stored in ${folder}: ${reason(error)}`);
  }
}

export interface NewMasterKeyFile {
  /** By default, a new master key. */
  readonly text?: string;
  /** The file that it is to take the place of, for those who use that. */
  readonly like?: Pick<Stats, 'uid' | 'gid' | 'mode'>;
}

/**
 * Lets those read a file who may read the one that it is to take the place of: one that the operator made is the
 * operator's otherwise. A link is not followed, because this would then change some other file.
 */
export async function giveAccess(
  path: string,
  like: Pick<Stats, 'uid' | 'gid' | 'mode'>,
): Promise<MasterKeyProblem | undefined> {
  const { mode } = accessLike(like);
  const failed = (why: string) =>
    masterKeyProblem(`${path} cannot be given owner and mode of the file that it is to replace: ${why}`);
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const status = await file.stat();
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

/** Root may make it for a service, which is known by what it has already. */
function accessLike({ uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>): FileAccess {
  const isRoot = process.geteuid?.() === 0;
  return { mode: 0o600 | (mode & 0o040), owner: isRoot ? { uid, gid } : undefined };
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Makes the file the one of another name, durably: whoever reads that one reads the old or the new, never neither. */
export async function moveMasterKeyFile(from: string, to: string): Promise<MasterKeyProblem | undefined> {
  try {
    await rename(from, to);
    await synchronize(dirname(to));
    return undefined;
  } catch (error) {
    return masterKeyProblem(`${from} cannot be renamed to ${to}: ${reason(error)}`);
  }
}

/** What the operating system said; anything else is a fault. */
export function reason(error: unknown): string {
  if (error instanceof Error && 'errno' in error && typeof error.errno === 'number') {
    return getSystemErrorMessage(error.errno);
  }
  throw error;
}
