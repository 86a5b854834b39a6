import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '../stage/postgres.ts';
import { mountSmallDisk } from './small-disk.ts';

/** Keeps little of the write-ahead log, so its disk can be small. */
const SETTINGS = { max_wal_size: '32MB', min_wal_size: '32MB' };

/** Starts a PostgreSQL with its data on one small disk, and its write-ahead log on another. */
export async function startOnDisks() {
  await using stack = new AsyncDisposableStack();
  const data = stack.use(await mountSmallDisk(160));
  const log = stack.use(await mountSmallDisk(80));
  const options = { dataDir: data.folder, settings: SETTINGS };
  await (await startPostgres(options))[Symbol.asyncDispose]();
  const from = join(data.folder, 'postgres', 'data', 'pg_wal');
  const to = join(log.folder, 'pg_wal');
  execFileSync('mv', [from, to]);
  await symlink(to, from);
  const postgres = stack.use(await startPostgres(options));
  const owned = stack.move();
  return { postgres, data, log, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
