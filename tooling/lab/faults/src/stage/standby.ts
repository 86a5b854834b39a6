import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { spawnPostgres, startPostgres } from './postgres.ts';
import { until } from './until.ts';

/** PostgreSQL's program is located by /proc. */
export const canHaveStandby = process.platform === 'linux';

/** Starts a filled PostgreSQL, and a standby with the data at the time when the standby was created. */
export async function startPair(fill: (url: string) => Promise<void>) {
  await using ending = new AsyncDisposableStack();
  const [dataDir, standbyDir] = [await makeFolder('primary'), await makeFolder('standby')];
  for (const folder of [dataDir, standbyDir]) ending.defer(() => rm(folder, { recursive: true }));
  {
    await using first = await startPostgres({ dataDir });
    await fill(first.url);
  }
  // While it is stopped, its files can be copied.
  const [original, data] = [join(dataDir, 'postgres', 'data'), join(standbyDir, 'data')];
  spawnSync('cp', ['-a', original, data]);
  const { uid, gid } = await stat(data);
  const signal = join(data, 'standby.signal');
  await writeFile(signal, '');
  await chown(signal, uid, gid);

  const { url } = ending.use(await startPostgres({ dataDir }));
  const socketFolder = join(standbyDir, 'socket');
  await mkdir(socketFolder, { mode: 0o700 });
  await chown(socketFolder, uid, gid);
  const standbyUrl = new URL(url);
  standbyUrl.hostname = encodeURIComponent(socketFolder);
  const [pid] = (await readFile(join(original, 'postmaster.pid'), 'utf8')).split('\n');
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    hot_standby: 'on',
    // A standby needs at least as many connections as its primary.
    max_connections: '300',
  };
  // PostgreSQL refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid, gid } : {};
  ending.use(spawnPostgres(await readlink(`/proc/${pid}/exe`), data, settings, account));
  await until('the standby answers', () => isStandby(standbyUrl.href));
  const kept = ending.move();
  return { url, standbyUrl: standbyUrl.href, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function makeFolder(what: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `gatehouse-${what}-`));
  // If root runs it, PostgreSQL runs as another user, who has to enter.
  await chmod(folder, 0o755);
  return folder;
}

async function isStandby(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as standby');
    return rows[0].standby;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
