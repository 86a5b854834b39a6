import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { codeOf } from './files.ts';

const LOG_LIMIT = 5 * 1024 * 1024;
const APPENDING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/**
 * Opens the server's log for the account that PostgreSQL runs as, and renames a log that has become too long.
 *
 * @throws {EmbeddedPostgresError} if the path is something else, such as a link: its target would be written to and given
 *   to that account
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
