import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { clusterPaths } from '../src/cluster.ts';
import { findPostmaster, isAlive } from '../src/postmaster-file.ts';
import { User } from './spawn-user.ts';

/** A data folder for a test, with the processes that use it; whatever is left of them is killed at the end. */
export class DataFolder implements AsyncDisposable {
  readonly path: string;
  readonly paths;
  readonly #users: User[] = [];
  readonly #postmasters = new Set<number>();

  private constructor(path: string) {
    this.path = path;
    this.paths = clusterPaths(join(path, 'postgres'));
  }

  static async make(): Promise<DataFolder> {
    return new DataFolder(await mkdtemp(join(tmpdir(), 'gatehouse-embedded-')));
  }

  open(...options: ConstructorParameters<typeof User> extends [string, ...infer Rest] ? Rest : never): User {
    const user = new User(this.path, ...options);
    this.#users.push(user);
    return user;
  }

  /** The process id of the server that runs on it. */
  async postmaster(): Promise<number | undefined> {
    const pid = (await findPostmaster(this.paths))?.pid;
    if (pid !== undefined) this.#postmasters.add(pid);
    return pid;
  }

  /** Kills the server as a power cut would, its pid file left behind. */
  async killPostmaster(): Promise<number> {
    const pid = await this.postmaster();
    if (pid === undefined) throw new Error('no server runs');
    process.kill(pid, 'SIGKILL');
    while ((await findPostmaster(this.paths))?.pid === pid) await delay(5);
    return pid;
  }

  async contents(): Promise<string[]> {
    return readdir(this.path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#users.map((user) => user.kill()));
    await this.postmaster();
    for (const pid of this.#postmasters) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await rm(this.path, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** The first row that the statement answers, as an array. */
export async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows[0] ?? [];
  } finally {
    await client.end();
  }
}
