import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWithRights } from '@gatehouse/embedded-postgres/testing';
import pg from 'pg';
import { until } from './until.ts';

/** A PostgreSQL that is nobody else's, and may be killed: it is started again whenever it is gone. */
export interface OwnPostgres extends AsyncDisposable {
  readonly url: string;
  /** On a connection of its own. */
  execute(statement: string): Promise<void>;
  /** Kills the postmaster outright, and resolves when it is gone. */
  kill(): Promise<void>;
  /** Resolves when it answers a statement. */
  untilAnswering(): Promise<void>;
}

export interface OwnPostgresOptions {
  /** Where its data is, for one that is somewhere in particular; this folder stays. */
  readonly dataDir?: string;
  /** PostgreSQL's own settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** What a process has written outlives it: only a power cut would lose what was not brought to the disk. */
const QUICK = { fsync: 'off' };

/** To fill the log that a replica would read, and to have it written. */
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
      // One that did not stop would outlive the tests.
      const pid = await postmaster(folder);
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      if (dataDir === undefined) await rm(folder, { recursive: true });
    },
  };
}

/** The server that runs on it: one that was killed leaves an id behind, which may be anybody's by now. */
async function postmaster(folder: string): Promise<number | undefined> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  const [pid] = (await read(join(folder, 'postgres', 'data', 'postmaster.pid'))).split('\n');
  // Only Linux tells.
  const isOurs = process.platform !== 'linux' || (await read(`/proc/${pid}/cmdline`)).includes(folder);
  return isOurs ? Number(pid) || undefined : undefined;
}

/** Executes a statement on a connection of its own. */
export async function execute(url: string, statement: string, patience: pg.ClientConfig = {}): Promise<void> {
  const client = new pg.Client({ connectionString: url, ...patience });
  // A session that is ended says so twice.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function answers(url: string): Promise<boolean> {
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
