import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdir, open, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { unprivilegedAccount } from '../src/account.ts';
import { locateBinaries } from '../src/cluster.ts';
import { findPostmaster } from '../src/postmaster-file.ts';
import { isAlive } from '../src/processes.ts';
import type { DataFolder } from './data-folder.ts';

const run = promisify(execFile);

const ENCODING = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];

/**
 * Creates a cluster like the previous version, and starts its server: on a loopback port, with superuser access for its
 * programs.
 */
export async function startOlderVersion({ path, paths }: DataFolder) {
  const [binaries, account] = [await locateBinaries(), await unprivilegedAccount(paths.data)];
  await chmod(path, 0o711);
  await mkdir(paths.folder, { mode: 0o700 });
  const password = randomBytes(24).toString('base64url');
  const port = await freePort();
  await writeFile(paths.older.password, password, { mode: 0o600 });
  await writeFile(paths.older.port, `${port}\n`, { mode: 0o600 });
  await mkdir(paths.data, { mode: 0o700 });
  if (account !== undefined) {
    await chmod(paths.folder, 0o711);
    for (const owned of [paths.data, paths.older.password]) await chown(owned, account.uid, account.gid);
  }
  const access = ['--username=gatehouse', '--auth=scram-sha-256', `--pwfile=${paths.older.password}`];
  const options = [`--pgdata=${paths.data}`, ...access, ...ENCODING, '--no-sync'];
  await run(binaries.initdb, options, { ...account, cwd: '/' });
  const log = await open(paths.log, 'a+', 0o600);
  if (account !== undefined) await log.chown(account.uid, account.gid);
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'restart_after_crash=off',
  ];
  const server = spawn(
    binaries.postgres,
    ['-D', paths.data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...account, cwd: '/', detached: true, stdio: ['ignore', log.fd, log.fd] },
  );
  await log.close();
  const pid = server.pid ?? 0;
  while (!(await findPostmaster(paths))?.ready) await delay(10);
  const ended = once(server, 'exit');
  return {
    url: `postgres://gatehouse:${password}@127.0.0.1:${port}/postgres`,
    pid,
    async stop() {
      if (isAlive(pid)) process.kill(pid, 'SIGINT');
      await ended;
    },
  };
}

/** Holds the shared lock like a process of the previous version. */
export async function useOlderServer({ url }: { readonly url: string }): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query("SELECT pg_advisory_lock_shared(x'67617465686f7573'::bigint)");
  return client;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
