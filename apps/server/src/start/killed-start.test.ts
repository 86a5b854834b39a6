import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sized } from '@gatehouse/fault-figures';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createTestDatabase } from '@gatehouse/test-database';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../testing/migrate.ts';
import { makeDataFolder, spawnServer } from '../../testing/spawn-server.ts';
import type { Demo } from './demo-file.ts';

const KILLS = sized({ short: 3, full: 20 });
const TIMEOUT_MS = 60_000 + KILLS * 15_000;

type Settings = Readonly<Record<string, string>>;

/** Starts a server, and kills it at a random time of its start. */
async function killWhileStarting(settings: Settings, startMs: number): Promise<void> {
  const server = spawnServer(settings);
  await delay(Math.random() * startMs);
  server.process.kill('SIGKILL');
  expect(await server.ended).toBe('SIGKILL');
}

/** Starts a server to its end, and returns how long that took, in milliseconds. */
async function startOnce(settings: Settings, look: (url: string) => Promise<void> = async () => {}) {
  const from = performance.now();
  await using server = spawnServer(settings);
  const url = await server.serving();
  const startMs = performance.now() - from;
  await look(url);
  expect(await server.stop()).toBe(0);
  expect(server.errors()).toBe('');
  return startMs;
}

test('a server that is killed while it makes or opens the embedded database keeps no later one from starting, and loses nothing', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using other = await makeDataFolder();
  const startMs = await startOnce({ GATEHOUSE_DATA_DIR: other.path });
  await using folder = await makeDataFolder();
  const settings = { GATEHOUSE_DATA_DIR: folder.path };
  for (let kill = 0; kill < KILLS; kill += 1) await killWhileStarting(settings, startMs);
  await startOnce(settings);
  const { token } = JSON.parse(await readFile(join(folder.path, 'demo.json'), 'utf8')) as Demo;
  for (let kill = 0; kill < KILLS; kill += 1) await killWhileStarting(settings, startMs / 2);
  await startOnce(settings, async (url) => {
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/api/v1/orgs/1`, { headers })).status).toBe(200);
  });
});

test('on a database of its own it leaves no session and no lock, and the keys are those of the first start', {
  timeout: TIMEOUT_MS,
}, async () => {
  const database = await createTestDatabase();
  await using resources = new AsyncDisposableStack();
  resources.defer(() => database.drop());
  await migrate(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  resources.defer(() => client.end());
  const keys = async () => (await client.query('select id, state from signing_keys order by id')).rows;
  const settings = { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: createMasterKey() };
  for (let kill = 0; kill < KILLS; kill += 1) await killWhileStarting(settings, 2_000);
  await startOnce(settings);
  const first = await keys();
  expect(first.length).toBeGreaterThan(0);
  for (let kill = 0; kill < KILLS; kill += 1) await killWhileStarting(settings, 2_000);
  await startOnce(settings);
  expect(await keys()).toEqual(first);
  const left = () =>
    client.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and application_name like 'gatehouse%'`,
    );
  await expect.poll(async () => (await left()).rowCount, { timeout: 20_000 }).toBe(0);
});
