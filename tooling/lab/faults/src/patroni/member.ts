import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { unprivilegedAccount } from '@gatehouse/embedded-postgres/testing';
import pg from 'pg';
import { until } from '../stage/until.ts';
import { type MemberPlace, memberConfiguration, ROLE_PASSWORD, SUPERUSER_PASSWORD } from './configuration.ts';
import { isRunning, kill, type Program, postgresProcesses, startProgram } from './processes.ts';

/** A machine of the cluster: Patroni, and the PostgreSQL that it starts. */
export interface PatroniMember extends AsyncDisposable {
  readonly place: MemberPlace;
  /** Starts Patroni, which starts PostgreSQL. */
  start(): void;
  /** Kills Patroni and PostgreSQL at once, as if the machine had lost its power. */
  kill(): Promise<void>;
  /** Kills PostgreSQL alone; Patroni goes on running. */
  killPostgres(): Promise<void>;
  /** The end of Patroni's log. */
  log(): Promise<string>;
  /** Stops Patroni without ending it; PostgreSQL goes on running. */
  freezePatroni(): void;
  /** Lets Patroni copy the leader again, as `patronictl reinit` does. */
  reinitialize(): Promise<void>;
  /** The status of Patroni's answer to `GET` of the path, such as `/primary`; undefined without one. */
  statusOf(path: string): Promise<number | undefined>;
  /** Opens a session of the product's role, as a client that knows the member's own address. */
  openSession(): Promise<pg.Client>;
  /** Runs a statement as the superuser on this member; rejects if it does not answer. */
  run<Row extends pg.QueryResultRow>(statement: string): Promise<readonly Row[]>;
}

export async function prepareMember(
  place: MemberPlace,
  account: Awaited<ReturnType<typeof unprivilegedAccount>>,
): Promise<PatroniMember> {
  const { folder, own } = place;
  const file = join(folder, 'patroni.yml');
  await mkdir(folder);
  await writeFile(file, await memberConfiguration(place));
  let patroni: Program | undefined;
  const data = join(folder, 'data');
  const urlOf = (role: string, password: string, database: string) =>
    `postgres://${role}:${password}@127.0.0.1:${own.postgres}/${database}`;

  async function killAll(pids: readonly number[]): Promise<void> {
    for (const pid of pids) kill(pid);
    for (const pid of pids) await until(`process ${pid} has ended`, async () => !(await isRunning(pid)));
  }
  const killPostgres = async () => killAll(await postgresProcesses(data));
  const killMember = async () => {
    const pids = await postgresProcesses(data);
    // Both at once: Patroni must not notice that PostgreSQL is gone.
    await Promise.all([patroni?.kill(), killAll(pids)]);
    await killPostgres();
    patroni = undefined;
  };
  return {
    place,
    start() {
      patroni = startProgram('patroni', [file], { folder, ...account });
    },
    kill: killMember,
    killPostgres,
    log: async () => (await patroni?.log()) ?? '',
    freezePatroni: () => patroni?.signal('SIGSTOP'),
    async reinitialize() {
      const response = await fetch(`http://127.0.0.1:${own.rest}/reinitialize`, {
        method: 'POST',
        body: JSON.stringify({ force: true }),
      });
      if (!response.ok) throw new Error(`Patroni does not copy the leader: ${await response.text()}`);
    },
    async statusOf(path) {
      try {
        const response = await fetch(`http://127.0.0.1:${own.rest}${path}`, {
          signal: AbortSignal.timeout(2000),
        });
        await response.arrayBuffer();
        return response.status;
      } catch {
        return undefined;
      }
    },
    async openSession() {
      const client = new pg.Client({ connectionString: urlOf('gatehouse', ROLE_PASSWORD, 'gatehouse') });
      // A session of a killed server emits two errors.
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    async run<Row extends pg.QueryResultRow>(statement: string) {
      const client = new pg.Client({
        connectionString: urlOf('postgres', SUPERUSER_PASSWORD, 'postgres'),
        connectionTimeoutMillis: 2000,
      });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return (await client.query<Row>(statement)).rows;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    [Symbol.asyncDispose]: killMember,
  };
}
