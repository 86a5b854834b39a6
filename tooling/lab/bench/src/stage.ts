import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMasterKey } from '@gatehouse/key-encryption';
import pg from 'pg';
import type { LoadRequest } from './load/plan.ts';
import { type Cores, claimCores } from './machine/cores.ts';
import { openOwnPostgres, urlOf } from './servers/own-postgres.ts';

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

export async function setStage(): Promise<Stage> {
  const cores = claimCores();
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = stack.use(await openOwnPostgres(folder));
  const resources = stack.move();
  return {
    cores,
    folder,
    masterKey: createMasterKey(),
    async createDatabase(name) {
      await withClient(postgres.url, (client) => client.query(`CREATE DATABASE ${name}`));
      return urlOf(postgres, name);
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
