import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { locateBinaries, unprivilegedAccount } from '@gatehouse/embedded-postgres/testing';
import pg from 'pg';
import { answers } from '../stage/postgres.ts';
import { until } from '../stage/until.ts';

/** A server of a replicated PostgreSQL. */
export interface Member extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** The URL of the product's role. */
  readonly url: string;
  /** Runs a statement as the superuser, in the superuser's database or in the product's. */
  run<Row extends pg.QueryResultRow>(statement: string, database?: 'gatehouse'): Promise<readonly Row[]>;
  /** Kills all of its processes at once, as if the machine had lost its power. */
  kill(): Promise<void>;
  /** Stops it for good, in the usual way. */
  stop(): Promise<void>;
}

/** This is asynchronous, because the test answers and sends requests meanwhile. */
const execute = promisify(execFile);

const [PASSWORD, ROLE, DATABASE] = ['of-a-test', 'gatehouse', 'gatehouse'];
const SETTINGS = {
  fsync: 'off',
  unix_socket_directories: '',
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  wal_keep_size: '512MB',
};

/** Creates a cluster with the product's role, which only owns its database and has no other right, and starts it. */
export async function startPrimary(folder: string, port: number): Promise<Member> {
  const data = join(folder, `member-${port}`);
  await mkdir(data, { mode: 0o700 });
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, PASSWORD);
  const account = await unprivilegedAccount(data);
  if (account) {
    const owner = `${account.uid}:${account.gid}`;
    await execute('chown', [owner, data, passwordFile]);
  }
  const { initdb } = await locateBinaries();
  const auth = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  await execute(initdb, ['-D', data, ...auth, '--no-sync', '--encoding=UTF8', '--locale=C'], {
    ...account,
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
  });
  const member = await start(data, port);
  await until('the primary answers', () => answers(urlOf(port, 'postgres', 'postgres')));
  await member.run(`create role ${ROLE} login password '${PASSWORD}'`);
  await member.run(`create database ${DATABASE} owner ${ROLE}`);
  return member;
}

/**
 * Copies a running primary by PostgreSQL's low-level interface for backups, and starts the copy as its standby.
 *
 * @param conninfo how the standby reaches the primary. Default: directly
 */
export async function startStandby(
  folder: string,
  port: number,
  primary: Member,
  conninfo = `host=127.0.0.1 port=${primary.port}`,
): Promise<Member> {
  const data = join(folder, `member-${port}`);
  await rm(data, { recursive: true, force: true });
  await copyPrimary(join(folder, `member-${primary.port}`), data, primary);
  const member = await start(data, port, {
    primary_conninfo: `${conninfo} user=postgres password=${PASSWORD} application_name=standby`,
  });
  await until('the standby receives the log', async () => {
    const rows = await primary.run("select from pg_stat_replication where state = 'streaming'");
    return rows.length === 1;
  });
  return member;
}

async function copyPrimary(from: string, to: string, primary: Member): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(primary.port, 'postgres', 'postgres') });
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    const skipped = /^(pg_wal|postmaster\..*|backup_label|standby\.signal)$/;
    const copied = (await readdir(from))
      .filter((name) => !skipped.test(name))
      .map((name) => join(from, name));
    await mkdir(to, { mode: 0o700 });
    // Files may vanish meanwhile, which is reported; the write-ahead log has their changes.
    await execute('cp', ['-a', '--', ...copied, to]).catch(() => undefined);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    await mkdir(join(to, 'pg_wal'), { mode: 0o700 });
    await writeFile(join(to, 'backup_label'), rows[0].labelfile);
    await writeFile(join(to, 'standby.signal'), '');
    await execute('chown', ['-R', `--reference=${from}`, to]);
  } finally {
    await client.end();
  }
}

async function start(
  data: string,
  port: number,
  more: Readonly<Record<string, string>> = {},
): Promise<Member> {
  const { postgres } = await locateBinaries();
  const settings = { ...SETTINGS, ...more, port: String(port) };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const account = await unprivilegedAccount(data);
  const server = spawn(postgres, ['-D', data, ...args], {
    ...account,
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode === null && server.signalCode === null) server.kill(signal);
    await ended;
  };
  return {
    port,
    pid: server.pid as number,
    url: urlOf(port, ROLE, DATABASE),
    run: (statement, database) => run(port, statement, database),
    async kill() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      for (const pid of [server.pid as number, ...(await childrenOf(server))]) kill(pid);
      await ended;
    },
    stop: () => end('SIGINT'),
    [Symbol.asyncDispose]: () => end('SIGQUIT'),
  };
}

async function run<Row extends pg.QueryResultRow>(
  port: number,
  statement: string,
  database = 'postgres',
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: urlOf(port, 'postgres', database) });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function childrenOf({ pid }: ChildProcess): Promise<readonly number[]> {
  const pids = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return pids.split(' ').filter(Boolean).map(Number);
}

const urlOf = (port: number, role: string, database: string) =>
  `postgres://${role}:${PASSWORD}@127.0.0.1:${port}/${database}`;
