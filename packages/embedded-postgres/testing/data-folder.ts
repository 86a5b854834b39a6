import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { quickFolder } from '@gatehouse/test-database/quick-folder';
import pg from 'pg';
import { expect } from 'vitest';
import { clusterPaths } from '../src/cluster.ts';
import { findPostmaster } from '../src/postmaster-file.ts';
import { isAlive } from '../src/processes.ts';
import { fillDataFolder } from './fill-data-folder.ts';
import { User } from './spawn-user.ts';

/** A data folder for a test, with the processes that use it; remaining ones are killed at the end. */
export class DataFolder implements AsyncDisposable {
  readonly path: string;
  readonly paths;
  readonly #users: User[] = [];
  readonly #postmasters = new Set<number>();

  /** Released with the folder. */
  readonly root: string;

  private constructor(root: string, path: string) {
    this.root = root;
    this.path = path;
    this.paths = clusterPaths(join(path, 'postgres'));
  }

  static async make({ subfolder = '.' }: { readonly subfolder?: string } = {}): Promise<DataFolder> {
    const root = await mkdtemp(join(quickFolder(), 'gatehouse-embedded-'));
    const path = join(root, subfolder);
    if (path === root) return new DataFolder(root, path);
    // If the test runs as root, PostgreSQL runs as another user, who has to enter the folder.
    await chmod(root, 0o711);
    await mkdir(path, { mode: 0o700 });
    return new DataFolder(root, path);
  }

  /** One that was used before, for tests that are not about the first start. */
  static async makeUsed(options?: Parameters<typeof DataFolder.make>[0]): Promise<DataFolder> {
    const folder = await DataFolder.make(options);
    await fillDataFolder(folder.path);
    return folder;
  }

  open(...options: ConstructorParameters<typeof User> extends [string, ...infer Rest] ? Rest : never): User {
    const user = new User(this.path, ...options);
    this.#users.push(user);
    return user;
  }

  /** The process id of the server. */
  async postmaster(): Promise<number | undefined> {
    const pid = (await findPostmaster(this.paths))?.pid;
    if (pid !== undefined) this.#postmasters.add(pid);
    return pid;
  }

  /** Kills the server like a power cut, so that its pid file remains. */
  async killPostmaster(): Promise<number> {
    const pid = await this.postmaster();
    if (pid === undefined) throw new Error('no server runs');
    process.kill(pid, 'SIGKILL');
    while ((await findPostmaster(this.paths))?.pid === pid) await delay(5);
    return pid;
  }

  /** Starts the server, or joins it, in another process that leaves it again. */
  async useOnce(): Promise<void> {
    const user = this.open();
    expect(await query(await user.url(), 'SELECT 1')).toEqual([1]);
    await user.leave();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#users.map((user) => user.kill()));
    await this.postmaster();
    for (const pid of this.#postmasters) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await rm(this.root, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Runs a statement and returns its first row, as an array. */
export async function query(url: string, statement: string): Promise<unknown[]> {
  const { rows } = await connected(url, (client) => client.query({ text: statement, rowMode: 'array' }));
  return rows[0] ?? [];
}

/** Runs statements without a result. */
export async function execute(url: string, statements: string): Promise<void> {
  await connected(url, (client) => client.query(statements));
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
