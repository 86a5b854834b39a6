import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import pg from 'pg';
import { until } from './until.ts';

/** A PostgreSQL that is nobody else's, and may be killed: it is started again whenever it is gone. */
export interface OwnPostgres extends AsyncDisposable {
  readonly url: string;
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

export async function startPostgres({
  dataDir,
  settings = {},
}: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'gatehouse-postgres-')));
  const postgres = await openEmbeddedPostgres({ dataDir: folder, settings: { ...QUICK, ...settings } });
  const { url } = postgres;
  return {
    url,
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
      if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
      if (dataDir === undefined) await rm(folder, { recursive: true });
    },
  };
}

async function postmaster(folder: string): Promise<number | undefined> {
  const file = await readFile(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => '');
  return Number(file.split('\n')[0]) || undefined;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000, query_timeout: 1000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
