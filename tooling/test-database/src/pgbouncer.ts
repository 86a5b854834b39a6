import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';

const NOBODY = 65_534;

/** Whether PgBouncer is installed. */
export function hasPgBouncer(): boolean {
  return spawnSync('pgbouncer', ['--version']).status === 0;
}

/**
 * Starts a PgBouncer in transaction mode in front of the database.
 *
 * @param connections the number of its connections to the database. Default: 1, because statements stay prepared on one
 *   connection, and versions before 1.21 do not know prepared statements
 * @param tellsVersion whether the user may ask its console
 */
export async function startPgBouncer(url: string, { connections = 1, tellsVersion = false } = {}) {
  const { hostname, port, username, password, pathname } = new URL(url);
  const host = decodeURIComponent(hostname);
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-pgbouncer-'));
  const [listenPort = 0] = await freePorts(1);
  const name = pathname.slice(1);
  const files = {
    'users.txt': `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`,
    'pgbouncer.ini': `
[databases]
${name} = host=${host} port=${port} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${connections}
stats_users = ${tellsVersion ? decodeURIComponent(username) : ''}
`,
  };
  for (const [file, text] of Object.entries(files))
    await writeFile(join(folder, file), text, { mode: 0o644 });
  spawnSync('chmod', ['755', folder]);
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    ...(await account(host)),
    stdio: 'ignore',
  });
  await untilItListens(child, listenPort);
  const pooled = new URL(url);
  pooled.host = `127.0.0.1:${listenPort}`;
  return {
    url: pooled.href,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** PgBouncer refuses to run as root. The database's socket may be in a folder that only its owner may enter. */
async function account(host: string): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = host.startsWith('/') ? await stat(host) : { uid: 0, gid: 0 };
  return uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid, gid };
}

async function untilItListens(child: ChildProcess, port: number): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const listens = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (listens) return;
  }
  throw new Error(`pgbouncer ended with status ${child.exitCode}`);
}
