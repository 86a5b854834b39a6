import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import pg from 'pg';
import { expect, test } from 'vitest';
import { makeServedDataFolder, spawnServer } from '../../testing/spawn-server.ts';

/** A database whose password can be changed, and a file with its URL. */
async function openRotatable() {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await makeServedDataFolder());
  const { url } = resources.use(await openEmbeddedPostgres({ dataDir: folder.path }));
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  resources.defer(() => admin.end());

  const file = join(folder.path, 'url');
  const store = async (password: string) => {
    const changed = new URL(url);
    changed.password = password;
    await writeFile(`${file}.new`, changed.href, { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  await store(new URL(url).password);
  const moved = resources.move();
  return {
    settings: { DATABASE_URL_FILE: file, GATEHOUSE_MASTER_KEY_FILE: join(folder.path, 'master.key') },
    file,
    store,
    change: (password: string) => admin.query(`alter role current_user password '${password}'`),
    endSessions: () =>
      admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where usename = current_user and pid <> pg_backend_pid()`,
      ),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

test.each(['1', '2'])('with %s processes, a new password is taken up without a restart', async (WORKERS) => {
  await using database = await openRotatable();
  await using server = spawnServer({ WORKERS, ...database.settings });
  await server.serving();
  const readiness = async () => (await fetch(`${server.opsUrl()}/ready`)).text();
  await expect.poll(readiness, { timeout: 20_000 }).toBe('{"status":"ready"}');

  await database.change('second');
  await database.endSessions();
  await expect.poll(readiness, { timeout: 20_000 }).not.toBe('{"status":"ready"}');
  await database.store('second');
  await expect.poll(readiness, { timeout: 20_000 }).toBe('{"status":"ready"}');

  expect(server.out().match(/"kind":"serving"/g)).toHaveLength(1);
});

test('another database in the file is ignored, and the log says so without the password', async () => {
  await using database = await openRotatable();
  await using server = spawnServer(database.settings);
  await server.serving();
  await writeFile(database.file, 'postgres://ada:hunter2@db.example/other');
  await database.endSessions();
  await expect
    .poll(() => server.out(), { timeout: 20_000 })
    .toContain(`DATABASE_URL_FILE names ${database.file}, which now has the URL of another database`);
  const readiness = async () => (await fetch(`${server.opsUrl()}/ready`)).text();
  await expect.poll(readiness, { timeout: 20_000 }).toBe('{"status":"ready"}');
  expect(server.out()).not.toContain('hunter2');
});
