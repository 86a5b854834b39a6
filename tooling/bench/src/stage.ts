import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWithRights } from '@gatehouse/embedded-postgres/testing';
import { createMasterKey } from '@gatehouse/key-encryption';
import pg from 'pg';
import type { LoadRequest } from './load/plan.ts';
import { type Cores, claimCores } from './machine/cores.ts';

/** The environment of all parts of the benchmark; released with the stage. */
export interface Stage extends AsyncDisposable {
  readonly cores: Cores | undefined;
  readonly masterKey: string;
  /** For files; deleted with the stage. */
  readonly folder: string;
  /** Creates an empty database, and returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** Writes requests to a file for the load generator, and returns its path. */
  writeRequests(name: string, requests: readonly LoadRequest[]): Promise<string>;
}

/** A PostgreSQL for a machine that runs other programs; no setting trades safety for speed. */
const POSTGRES_SETTINGS = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
};

/** Rights to create databases, and to run a checkpoint before a measurement. */
const rights = (role: string) => [`ALTER ROLE ${role} CREATEDB`, `GRANT pg_checkpoint TO ${role}`];

export async function setStage(): Promise<Stage> {
  const cores = claimCores();
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = stack.use(await openWithRights({ dataDir: folder, settings: POSTGRES_SETTINGS }, rights));
  const resources = stack.move();
  return {
    cores,
    folder,
    masterKey: createMasterKey(),
    async createDatabase(name) {
      await withClient(postgres.url, (client) => client.query(`CREATE DATABASE ${name}`));
      const url = new URL(postgres.url);
      url.pathname = name;
      return url.href;
    },
    async writeRequests(name, requests) {
      const path = join(folder, `${name}.jsonl`);
      await writeFile(
        path,
        requests.map((request) => `${JSON.stringify(request)}\n`),
      );
      return path;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Opens a connection without a time limit for statements. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
