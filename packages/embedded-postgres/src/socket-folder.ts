import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readlink, rename, rm, symlink, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Account } from './account.ts';
import type { Cluster, ClusterPaths } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { changeFolder, codeOf } from './files.ts';

/**
 * The port in the name of the socket. All servers have the same port, because each server has its own socket folder.
 */
export const SOCKET_PORT = 5432;

/** The longest path of a socket in bytes. The limit is 108 on Linux and 104 on macOS, including a terminating zero. */
const LONGEST_ADDRESS = 103;

/** Returns the path of the socket in a socket folder. */
export function socketIn(folder: string): string {
  return join(folder, `.s.PGSQL.${SOCKET_PORT}`);
}

function fits(folder: string): boolean {
  return Buffer.byteLength(socketIn(folder)) <= LONGEST_ADDRESS;
}

/**
 * Returns the folder with the socket of the running server, or of the last server that ran; undefined if none has run
 * yet.
 */
export async function knownSocketFolder(paths: ClusterPaths): Promise<string | undefined> {
  if (fits(paths.socket)) return paths.socket;
  const folder = await readlink(paths.socket).catch(() => undefined);
  if (folder === undefined || !temporaryFolders().includes(dirname(folder))) return undefined;
  // The link in a copied or moved data folder may point to the socket folder of the original.
  return basename(folder).startsWith(nameFor(paths)) ? folder : undefined;
}

/**
 * Creates the folder for the socket of a server, if possible at the previous path, because running programs know that
 * address. The socket folder is in the data folder. If the path of a socket in the data folder would be too long, the
 * socket folder is in the temporary folder of the system.
 */
export async function makeSocketFolder({ paths, account }: Cluster): Promise<string> {
  if (fits(paths.socket)) {
    await makeInside(paths.socket, account);
    return paths.socket;
  }
  const known = await knownSocketFolder(paths);
  if (known !== undefined && (await isThereOrMade(known, account))) return known;
  return makeElsewhere(paths, account);
}

/** @throws {EmbeddedPostgresError} unless the path is a folder that only its owner may enter */
export async function requirePrivate(folder: string, account: Account | undefined): Promise<void> {
  if (await isPrivate(folder, account)) return;
  throw new EmbeddedPostgresError(
    `The socket of the embedded PostgreSQL is in ${folder}, which is not a folder that only its owner may enter: stop the servers and commands that use the data folder; the next start creates the socket folder again.`,
  );
}

async function isPrivate(folder: string, account: Account | undefined): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined || !found.isDirectory()) return false;
  return found.uid === (account?.uid ?? process.getuid?.()) && (found.mode & 0o077) === 0;
}

async function own(folder: string, account: Account | undefined): Promise<void> {
  await changeFolder(folder, { mode: () => 0o700, account });
}

async function makeInside(folder: string, account: Account | undefined): Promise<void> {
  if (await isPrivate(folder, account)) return;
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory()) return own(folder, account);
  if (found !== undefined) await unlink(folder);
  const made = await mkdtemp(`${folder}.new-`);
  await own(made, account);
  await rename(made, folder).catch(async (error: unknown) => {
    await rm(made, { recursive: true });
    // Another process has created the folder, and its server may have its socket there.
    if (!(await isPrivate(folder, account))) throw error;
  });
}

/** The folders that may contain a socket folder if it is not in the data folder. */
function temporaryFolders(): readonly string[] {
  return [resolve(tmpdir()), '/tmp'];
}

/**
 * Returns the beginning of the name of a socket folder outside of the data folder. This beginning identifies the data
 * folder.
 */
function nameFor({ folder }: ClusterPaths): string {
  return `gatehouse-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}-`;
}

/**
 * Creates the folder if it does not exist, and returns whether it belongs to the account of PostgreSQL. In the
 * temporary folder, other users can also create folders, and those are not used.
 */
async function isThereOrMade(folder: string, account: Account | undefined): Promise<boolean> {
  try {
    await mkdir(folder, 0o700);
    await own(folder, account);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return false;
  }
  return isPrivate(folder, account);
}

async function makeElsewhere(paths: ClusterPaths, account: Account | undefined): Promise<string> {
  const parent = temporaryFolders().find((folder) => fits(join(folder, `${nameFor(paths)}123456`)));
  if (parent === undefined) throw new TypeError('the path below /tmp is too long');
  const made = await mkdtemp(join(parent, nameFor(paths)));
  await own(made, account);
  let linked: string | undefined;
  try {
    linked = await linkTo(made, paths, account);
    return linked;
  } finally {
    if (linked !== made) await rm(made, { recursive: true });
  }
}

/**
 * Makes the socket path in the data folder a symbolic link to the folder `made`. If a concurrent start has already
 * linked the path to another folder, returns that folder.
 */
async function linkTo(made: string, paths: ClusterPaths, account: Account | undefined): Promise<string> {
  try {
    await symlink(made, paths.socket);
    return made;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const other = await knownSocketFolder(paths);
  if (other !== undefined && (await isPrivate(other, account))) return other;
  await rm(paths.socket, { recursive: true, force: true });
  return linkTo(made, paths, account);
}
