import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWithRights } from '@gatehouse/embedded-postgres/testing';
import { fillDataFolder } from '@gatehouse/embedded-postgres/testing/fill-data-folder';
import pg from 'pg';
import { until } from './until.ts';

/** A private PostgreSQL that can be killed: it is restarted whenever it exits. */
export interface OwnPostgres extends AsyncDisposable {
  readonly url: string;
  /** Uses a separate connection. */
  execute(statement: string): Promise<void>;
  /** Kills the postmaster by SIGKILL, and resolves when it has exited. */
  kill(): Promise<void>;
  /** Resolves when it answers a statement. */
  untilAnswering(): Promise<void>;
}

export interface OwnPostgresOptions {
  /** The folder of its data, if it is not temporary; this folder is kept. */
  readonly dataDir?: string;
  /** Settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Written data survives the process: only a power cut would lose data that is not on the disk yet. */
const QUICK = { fsync: 'off' };

/** Rights to fill the log for a replica, and to flush it. */
const rights = (role: string) => [
  `ALTER ROLE ${role} REPLICATION`,
  `GRANT pg_checkpoint TO ${role}`,
  `GRANT EXECUTE ON FUNCTION pg_switch_wal() TO ${role}`,
];

export async function startPostgres({
  dataDir,
  settings = {},
}: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'gatehouse-postgres-')));
  if (!existsSync(join(folder, 'postgres'))) await fillDataFolder(folder);
  const postgres = await openWithRights({ dataDir: folder, settings: { ...QUICK, ...settings } }, rights);
  const { url } = postgres;
  return {
    url,
    execute: (statement) => execute(url, statement),
    async kill() {
      const pid = await postmaster(folder);
      if (pid === undefined) throw new Error('there is no PostgreSQL');
      process.kill(pid, 'SIGKILL');
      await until('PostgreSQL is gone', () => !isAlive(pid));
    },
    async untilAnswering() {
      await until('PostgreSQL answers', () => answers(url));
    },
    async [Symbol.asyncDispose]() {
      await postgres.close();
      // Otherwise it would outlive the tests.
      const pid = await postmaster(folder);
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      if (dataDir === undefined) await rm(folder, { recursive: true });
    },
  };
}

/** Returns the running server: a killed one leaves a process id behind that may be reused. */
async function postmaster(folder: string): Promise<number | undefined> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  const [pid] = (await read(join(folder, 'postgres', 'data', 'postmaster.pid'))).split('\n');
  // Only Linux shows that.
  const isOurs = process.platform !== 'linux' || (await read(`/proc/${pid}/cmdline`)).includes(folder);
  return isOurs ? Number(pid) || undefined : undefined;
}

/** Starts PostgreSQL's own program, which ends when it is disposed of. */
export function spawnPostgres(
  program: string,
  data: string,
  settings: Readonly<Record<string, string>>,
  options: SpawnOptions,
): AsyncDisposable {
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(program, ['-D', data, ...args], { ...options, cwd: '/', stdio: 'ignore' });
  const ended = once(server, 'exit');
  return {
    async [Symbol.asyncDispose]() {
      server.kill('SIGQUIT');
      await ended;
    },
  };
}

/** Executes a statement on a separate connection. */
export async function execute(url: string, statement: string, patience: pg.ClientConfig = {}): Promise<void> {
  const client = new pg.Client({ connectionString: url, ...patience });
  // A terminated session emits two errors.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns whether it answers a statement. */
export function answers(url: string): Promise<boolean> {
  return execute(url, 'select 1', { connectionTimeoutMillis: 1000, query_timeout: 1000 }).then(
    () => true,
    () => false,
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
