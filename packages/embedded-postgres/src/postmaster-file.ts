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
  /** The folder of its socket; undefined for a server started by an older version, which has none. */
  readonly socketFolder: string | undefined;
  /** The loopback port of a server started by an older version. */
  readonly port: number;
  readonly ready: boolean;
}

/** PostgreSQL writes the file in two steps. An incomplete file of this age in milliseconds was left by a power cut. */
const HALF_WRITTEN_MS = 2_000;

/**
 * Finds the server that runs on this cluster, ready or not, by its `postmaster.pid`, or by the lock file of its socket if
 * `postmaster.pid` is damaged. A `postmaster.pid` that describes no running server is removed if it would keep PostgreSQL
 * from starting: if it is unreadable, or if its process id now belongs to another program.
 */
export async function findPostmaster(paths: ClusterPaths): Promise<Postmaster | undefined> {
  const text = await readIfThere(paths.postmasterFile);
  if (text === undefined) return undefined;
  const [first = '', , , port, socketFolder = '', , , status] = text.split('\n');
  // The process id is negative in single-user mode, which serves no clients.
  const pid = /^-?[1-9]\d*$/.test(first) ? Number(first) : undefined;
  if (pid !== undefined && (await isPostmaster(pid, paths.data))) {
    const ready = status?.trim() === 'ready';
    return { pid, socketFolder: socketFolder || undefined, port: Number(port), ready };
  }
  const holder = await socketHolder(paths);
  if (holder !== undefined) return holder;
  const misleads = pid === undefined ? await isOld(paths.postmasterFile) : isAlive(pid);
  // The file stays while processes of a killed server may still write: a new server detects them only by this file.
  if (misleads && !(await isServed(paths)) && !(await isInUse(paths.data)))
    await removeUnlessReplaced(paths.postmasterFile, text);
  return undefined;
}

/**
 * Removes the lock file that a killed server left beside its socket. If another program got the process id in the file,
 * PostgreSQL would refuse to start.
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
    // With EAGAIN a server listens: its connection queue is full.
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
