import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import type { ClusterPaths } from './cluster.ts';
import { codeOf, readIfThere, removeUnlessReplaced } from './files.ts';
import { isAlive, isInUse, isPostmaster } from './processes.ts';
import { knownSocketFolder, socketIn } from './socket-folder.ts';

/** The content of a running server's `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  /**
   * The folder of the server's socket; undefined for a server that an older version of Gatehouse started, which has no
   * socket.
   */
  readonly socketFolder: string | undefined;
  /** The port on 127.0.0.1 of a server that an older version of Gatehouse started. */
  readonly port: number;
  readonly ready: boolean;
}

/**
 * PostgreSQL writes `postmaster.pid` in two steps. If an incomplete file is older than this, in milliseconds, the
 * machine lost power while the file was written.
 */
const HALF_WRITTEN_MS = 2_000;

/**
 * Finds the server that runs on this cluster, even if it does not accept connections yet: by its `postmaster.pid`, or
 * by the lock file of its socket if `postmaster.pid` is damaged. Removes a `postmaster.pid` that describes no running
 * server if it would prevent the start of PostgreSQL: if it is unreadable, or if its process id now belongs to another
 * program.
 */
export async function findPostmaster(paths: ClusterPaths): Promise<Postmaster | undefined> {
  const text = await readIfThere(paths.postmasterFile);
  if (text === undefined) return undefined;
  const [first = '', , , port, socketFolder = '', , , status] = text.split('\n');
  // In single-user mode, in which PostgreSQL serves no clients, the process id is negative.
  const pid = /^-?[1-9]\d*$/.test(first) ? Number(first) : undefined;
  if (pid !== undefined && (await isPostmaster(pid, paths.data))) {
    const ready = status?.trim() === 'ready';
    return { pid, socketFolder: socketFolder || undefined, port: Number(port), ready };
  }
  const holder = await socketHolder(paths);
  if (holder !== undefined) return holder;
  const misleads = pid === undefined ? await isOld(paths.postmasterFile) : isAlive(pid);
  // The file is kept while processes of a killed server may still write, because a new server detects these processes
  // only by this file.
  if (misleads && !(await isServed(paths)) && !(await isInUse(paths.data)))
    await removeUnlessReplaced(paths.postmasterFile, text);
  return undefined;
}

/**
 * Removes the lock file that a killed server left beside its socket. Otherwise PostgreSQL would refuse to start if
 * another program got the process id in that file.
 */
export async function removeMisleadingLock(socketFolder: string, { data }: ClusterPaths): Promise<void> {
  const lock = lockIn(socketFolder);
  const text = await readIfThere(lock);
  if (text !== undefined && !(await isPostmaster(Number.parseInt(text, 10), data)))
    await removeUnlessReplaced(lock, text);
}

async function isServed(paths: ClusterPaths): Promise<boolean> {
  const socketFolder = await knownSocketFolder(paths);
  return socketFolder !== undefined && (await isListening(socketIn(socketFolder)));
}

/** Returns whether a program listens on the Unix socket `path`. */
async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    // EAGAIN means that a server listens, but its queue of connections is full.
    return codeOf(error) === 'EAGAIN';
  } finally {
    socket.destroy();
  }
}

async function socketHolder(paths: ClusterPaths): Promise<Postmaster | undefined> {
  const socketFolder = await knownSocketFolder(paths);
  if (socketFolder === undefined) return undefined;
  const text = await readIfThere(lockIn(socketFolder)).catch(() => undefined);
  const pid = Number.parseInt(text ?? '', 10);
  if (!(await isPostmaster(pid, paths.data))) return undefined;
  return { pid, socketFolder, port: 0, ready: true };
}

function lockIn(socketFolder: string): string {
  return `${socketIn(socketFolder)}.lock`;
}

async function isOld(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => undefined);
  return file !== undefined && Date.now() - file.mtimeMs > HALF_WRITTEN_MS;
}
