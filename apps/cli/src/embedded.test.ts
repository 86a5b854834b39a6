import { chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import { expect, test } from 'vitest';
import { givenPeople } from '../testing/people.ts';
import { runCli } from '../testing/process.ts';
import { runHere } from '../testing/run-here.ts';
import { aDataFolder, aTemporaryFolder, aUsedDataFolder } from '../testing/temporary-folder.ts';

test('without DATABASE_URL the database is in the data folder, which only migrate creates', async () => {
  const cwd = await aTemporaryFolder();
  const lost = await runCli({}, ['account', 'create', '--name', 'Acme'], { cwd });
  expect(lost).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/^error: [^\n]+\n$/) });
  expect(lost.stderr).toContain(join(cwd, '.gatehouse'));
  expect(lost.stderr).toContain('GATEHOUSE_DATA_DIR');
  expect(await readdir(cwd)).toEqual([]);

  expect(await runCli({}, ['migrate'], { cwd })).toMatchObject({ status: 0 });
  const created = await runCli({}, ['account', 'create', '--name', 'Acme'], { cwd });
  expect(created).toMatchObject({ status: 0, stdout: '1\n' });
  const elsewhere = await aTemporaryFolder();
  const settings = { GATEHOUSE_DATA_DIR: join(cwd, '.gatehouse') };
  const { stdout } = await runCli(settings, ['account', 'list', '--json'], { cwd: elsewhere });
  expect(JSON.parse(stdout)).toMatchObject([{ id: 1, name: 'Acme' }]);
});

test('a command works beside a server, and leaves nothing running without one', async () => {
  const dataDir = await aUsedDataFolder();
  const settings = { GATEHOUSE_DATA_DIR: dataDir };
  const isRunning = async () => (await readdir(join(dataDir, 'postgres/data'))).includes('postmaster.pid');
  await runCli(settings, ['migrate']);
  expect(await isRunning()).toBe(false);

  await using _server = await openEmbeddedPostgres({ dataDir });
  expect(await runCli(settings, ['account', 'create', '--name', 'Acme'])).toMatchObject({ status: 0 });
  expect(await runCli(settings, ['account', 'list'])).toMatchObject({ status: 0 });
  expect(await isRunning()).toBe(true);
});

test('tokens can be created before any server has run; a lost master key is not replaced', async () => {
  const dataDir = await aUsedDataFolder();
  const settings = { GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_AS: 'ada@acme.example' };
  const create = (name: string) => ['token', 'create', '--name', name];
  await besidePostgres(dataDir, () => givenPeople(settings));

  const [one, two] = await Promise.all([runCli(settings, create('one')), runCli(settings, create('two'))]);
  expect(one, one.stderr).toMatchObject({ status: 0, stdout: expect.stringMatching(/^v4\.public\./) });
  expect(two, two.stderr).toMatchObject({ status: 0 });

  await besidePostgres(dataDir, async () => {
    const keys = JSON.parse((await runHere(settings, ['key', 'list', '--json'])).stdout);
    expect(keys.map(({ format }: { readonly format: string }) => format).sort()).toEqual(['jwt', 'paseto']);

    const masterKey = await readFile(join(dataDir, 'master.key'));
    await rm(join(dataDir, 'master.key'));
    const refused = await runHere(settings, create('three'));
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('master key') });
    expect(await readdir(dataDir)).toEqual(['postgres']);
    await writeFile(join(dataDir, 'master.key'), masterKey, { mode: 0o600 });
    expect(await runHere(settings, create('four'))).toMatchObject({ status: 0 });
  });
});

/** Keeps the data folder's PostgreSQL running meanwhile, so that not each command starts and stops it. */
async function besidePostgres(dataDir: string, work: () => Promise<void>): Promise<void> {
  await using _postgres = await openEmbeddedPostgres({ dataDir });
  await work();
}

test('an unusable data folder is a fault, reported in one line', async () => {
  const folder = await aTemporaryFolder();
  await writeFile(join(folder, 'file'), '');
  const refused = await runCli({ GATEHOUSE_DATA_DIR: join(folder, 'file') }, ['migrate']);
  expect(refused).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/^error: [^\n]+\n$/) });
});

test.runIf(process.getuid?.() === 0)(
  'root is told to run a command as the user whose data folder it is',
  async () => {
    const dataDir = await aDataFolder();
    const settings = { GATEHOUSE_DATA_DIR: dataDir };
    await mkdir(join(dataDir, 'postgres'));
    await chown(dataDir, 65_534, 65_534);
    for (const args of [['migrate'], ['account', 'list'], ['doctor']]) {
      const { status, stderr } = await runCli(settings, args);
      expect({ args, status, stderr }).toEqual({
        args,
        status: 2,
        stderr: expect.stringContaining('for example with `runuser -u nobody -- '),
      });
    }
  },
  60_000,
);
