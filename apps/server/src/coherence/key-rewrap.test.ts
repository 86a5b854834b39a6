import { execFile } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createTestDatabase, programFile } from '@gatehouse/test-database';
import { describe, expect, it } from 'vitest';
import { call, ME, signInWith, tokenIn } from '../../testing/client.ts';
import { SCHEMA } from '../../testing/migrate.ts';
import { makeDataFolder, serveDataFolder, spawnServer } from '../../testing/spawn-server.ts';

const GATEHOUSE = fileURLToPath(new URL('../../../cli/bin/gatehouse.js', import.meta.url));
const run = promisify(execFile);
const PASSWORD = 'a heavy press, twice';

type Settings = Readonly<Record<string, string>>;

/** Runs a command on the data of a server, as its operator does. */
async function gatehouse(settings: Settings, ...args: readonly string[]): Promise<string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const running = run(process.execPath, [programFile('gatehouse', GATEHOUSE, settings), ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...settings },
  });
  // Some read it; the others may be gone before it is written.
  running.child.stdin?.on('error', () => undefined).end(PASSWORD);
  return (await running).stdout.trim();
}

interface Person {
  readonly email: string;
  readonly password: string;
}

/** Signs in, and shows that the token is good. @param times so often that each process is asked, where there are several */
async function signIn(url: string, person: Person, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const headers = { connection: 'close' };
    const reply = await signInWith(url, { ...person }, { headers });
    expect(reply.status).toBe(200);
    expect((await call(url, ME, { token: tokenIn(reply), headers })).status).toBe(200);
  }
}

/** A new key, active as soon as it may be. */
async function changeKey(settings: Settings): Promise<string> {
  const id = await gatehouse(settings, 'key', 'create');
  const activate = () =>
    gatehouse(settings, 'key', 'activate', id).then(
      () => true,
      () => false,
    );
  // Each attempt starts a process.
  await expect.poll(activate, { timeout: 20_000, interval: 250 }).toBe(true);
  return id;
}

describe('a server that runs while the master key is replaced', { timeout: 180_000 }, () => {
  it.each(['1', '2'])('follows its data folder, with %s processes', async (workers) => {
    await using server = await serveDataFolder({ MAX_STALENESS_MS: '500', WORKERS: workers });
    const { url, path, demo } = server;
    const times = workers === '1' ? 1 : 4;
    const signInHere = () => signIn(url, demo.admin, times);
    const settings = { GATEHOUSE_DATA_DIR: path, MAX_STALENESS_MS: '500' };
    await signInHere();

    await gatehouse(settings, 'key', 'rewrap');
    await signInHere();
    await changeKey(settings);
    await signInHere();
    expect(server.errors()).toBe('');
  });

  it('follows the file that the settings name, also while the new one lies beside it', async () => {
    await using database = await createTestDatabase(SCHEMA);
    await using folder = await makeDataFolder();
    const file = join(folder.path, 'master.key');
    await writeFile(file, createMasterKey(), { mode: 0o600 });
    const settings = {
      DATABASE_URL: database.url,
      GATEHOUSE_MASTER_KEY_FILE: file,
      MAX_STALENESS_MS: '500',
    };
    await gatehouse(settings, 'account', 'create', '--name', 'Acme');
    const ada = { email: 'ada@acme.example', password: PASSWORD };
    const user = ['--account', '1', '--email', ada.email, '--name', 'Ada', '--role', 'admin'];
    await gatehouse(settings, 'user', 'create', ...user, '--password-stdin');
    await using server = spawnServer(settings);
    const url = await server.serving();
    await signIn(url, ada);

    const before = await readFile(file);
    await gatehouse(settings, 'key', 'rewrap');
    // As where it was killed before the new one took the place of the old one.
    await rename(file, `${file}.new`);
    await writeFile(file, before, { mode: 0o600 });
    await changeKey(settings);
    await signIn(url, ada);
    await using another = spawnServer(settings);
    await signIn(await another.serving(), ada);

    await rename(`${file}.new`, file);
    await changeKey(settings);
    for (const each of [server, another]) await signIn(await each.serving(), ada);
  });
});
