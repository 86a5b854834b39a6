import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { codeOf } from './files.ts';
import { findPostmaster, removeMisleadingLock } from './postmaster-file.ts';
import { endOf, lastFatal, OCCUPIED, programFailure, programOptions, settingFlags } from './programs.ts';
import { makeSocketFolder, SOCKET_PORT } from './socket-folder.ts';

const POLL_MS = 10;
/** The longest time for a start, in milliseconds: enough to replay the write-ahead log of a killed server. */
const RECOVERY_MS = 60_000;

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // 300 connections are enough for the pools of many workers.
  max_connections: '300',
  // The superuser cannot log in, so it needs no reserved connection.
  superuser_reserved_connections: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // If a backend crashes, the server exits, and the processes that use the server start it again. If PostgreSQL
  // restarted itself and that failed, for example because the disk is full, it could hang forever.
  restart_after_crash: 'off',
};

/**
 * Starts a server on the cluster and waits until it accepts connections. The server has a separate process group, so
 * Ctrl-C does not end it, and runs on after the process that started it has ended. Returns `occupied` if another server
 * is starting, running or stopping.
 */
export async function startPostmaster(cluster: Cluster): Promise<'started' | 'occupied'> {
  const { paths, binaries } = cluster;
  const socketFolder = await makeSocketFolder(cluster);
  await removeMisleadingLock(socketFolder, paths);
  const settings = settingFlags({
    ...SETTINGS,
    ...cluster.settings,
    // The setting is a list of quoted names.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
  });
  const log = await openLog(cluster);
  const offset = (await log.stat()).size;
  const server = spawn(binaries.postgres, ['-D', paths.data, '-p', String(SOCKET_PORT), ...settings], {
    ...programOptions(cluster),
    stdio: ['ignore', log.fd, log.fd],
  });
  server.unref();
  let failure: string | undefined;
  const ended = endOf(server, 'exit').then((how) => {
    failure = how;
  });
  try {
    const deadline = performance.now() + RECOVERY_MS;
    while (failure === undefined && performance.now() < deadline) {
      const postmaster = await findPostmaster(paths);
      if (postmaster?.pid === server.pid && postmaster?.ready) return 'started';
      await Promise.race([ended, delay(POLL_MS)]);
    }
    if (failure === undefined) {
      server.kill('SIGQUIT');
      throw new EmbeddedPostgresError(
        `PostgreSQL did not become ready within ${RECOVERY_MS / 1000} s; see its log, ${paths.log}`,
      );
    }
    const said = await log.read({ position: offset, buffer: Buffer.alloc(64 * 1024) });
    const fatal = lastFatal(said.buffer.toString('utf8', 0, said.bytesRead), server.pid);
    if (OCCUPIED.test(fatal ?? '')) return 'occupied';
    const reason = `PostgreSQL could not be started: ${fatal ?? failure} (see its log, ${paths.log})`;
    throw await programFailure(cluster, binaries.postgres, reason);
  } finally {
    await log.close();
  }
}

const LOG_LIMIT = 5 * 1024 * 1024;
const APPENDING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/**
 * Opens the server's log for the account as which PostgreSQL runs. If the log has become too long, renames it and
 * begins a new one.
 *
 * @throws {EmbeddedPostgresError} if the path is not a file of this process or of the account. Through a link, another
 * user could make root write to any file, and give that file to the account
 */
export async function openLog(cluster: Cluster): Promise<FileHandle> {
  const { paths, account } = cluster;
  let log = await openOwn(cluster);
  if ((await log.stat()).size > LOG_LIMIT) {
    await log.close();
    await rename(paths.log, `${paths.log}.1`);
    log = await openOwn(cluster);
  }
  if (account !== undefined) await log.chown(account.uid, account.gid);
  return log;
}

async function openOwn({ paths, account }: Cluster): Promise<FileHandle> {
  let log: FileHandle;
  try {
    log = await open(paths.log, APPENDING, 0o600);
  } catch (error) {
    throw codeOf(error) === 'ELOOP' ? unsafe(paths.log) : error;
  }
  const found = await log.stat();
  const owners = [process.geteuid?.(), account?.uid];
  if (found.isFile() && found.nlink === 1 && owners.includes(found.uid)) return log;
  await log.close();
  throw unsafe(paths.log);
}

function unsafe(path: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The log of the embedded PostgreSQL, ${path}, is a link or belongs to another user: delete ${path}; the next start creates a new one.`,
  );
}
