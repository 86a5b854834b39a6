import { watch } from 'node:fs';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkMasterKey } from '@gatehouse/domain';
import { createFixedClock, START } from '@gatehouse/domain/testing';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import { createFollowingKeyEncryption, loadMasterKey } from '@gatehouse/key-encryption';
import { createPostgresSigningKeyRepository, openDatabase } from '@gatehouse/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { type ProcessEnvironment, runCli, startCli } from '../testing/process.ts';
import { aTemporaryFolder } from '../testing/temporary-folder.ts';

/** A data folder with keys, whose database goes on running. */
async function aDataFolder() {
  const dataDir = await aTemporaryFolder();
  const settings = { GATEHOUSE_DATA_DIR: dataDir };
  expect(await runCli(settings, ['migrate'])).toMatchObject({ status: 0 });
  const embedded = await openEmbeddedPostgres({ dataDir });
  const database = openDatabase({ url: embedded.url, poolSize: 1 });
  onTestFinished(async () => {
    await database.close();
    await embedded[Symbol.asyncDispose]();
  });
  expect(await runCli(settings, ['key', 'create', '--format', 'jwt'])).toMatchObject({ status: 0 });

  /** Whether a process that starts now can open every key with what is in the folder. */
  async function startsWell(): Promise<boolean> {
    const loaded = await loadMasterKey({ dataDir, mayCreate: false });
    if (!loaded.ok) return false;
    const signingKeys = createPostgresSigningKeyRepository(database);
    const encryption = createFollowingKeyEncryption(loaded.value, createFixedClock(START));
    return (await checkMasterKey({ signingKeys, encryption })).ok;
  }
  const masterKeys = async () =>
    (await readdir(dataDir)).filter((name) => /^master\.key(\.new)?$/.test(name));
  const stored = () => readFile(join(dataDir, 'master.key'), 'utf8');
  return { dataDir, settings, startsWell, masterKeys, stored };
}

async function rewrapped(settings: ProcessEnvironment, ...more: readonly string[]) {
  const { status, stdout, stderr } = await runCli(settings, ['key', 'rewrap', '--json', ...more]);
  expect(stderr).not.toContain('error');
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

test('the master key of the data folder is replaced there, by a new one or by the one that is given', async () => {
  const { dataDir, settings, startsWell, masterKeys, stored } = await aDataFolder();
  const first = await stored();
  expect(await rewrapped(settings)).toEqual({ rewrapped: 3, unchanged: 0 });
  const second = await stored();
  expect(second).not.toBe(first);
  expect([await startsWell(), await masterKeys()]).toEqual([true, ['master.key']]);

  const file = join(dataDir, 'given');
  await writeFile(file, (await runCli({}, ['key', 'new-master'])).stdout);
  expect(await rewrapped(settings, '--new-master-key-file', file)).toEqual({ rewrapped: 3, unchanged: 0 });
  expect(await stored()).toBe(await readFile(file, 'utf8'));
  expect([await startsWell(), await masterKeys()]).toEqual([true, ['master.key']]);

  const several = await Promise.all([rewrapped(settings), rewrapped(settings), rewrapped(settings)]);
  expect(several).toEqual(Array(3).fill({ rewrapped: 3, unchanged: 0 }));
  expect([await startsWell(), await masterKeys()]).toEqual([true, ['master.key']]);
  expect(await runCli(settings, ['key', 'create'])).toMatchObject({ status: 0 });
}, 60_000);

test('killed at any point, a rewrap leaves what opens the keys, and is finished by running it again', async () => {
  const { dataDir, settings, startsWell, masterKeys, stored } = await aDataFolder();
  let before = await stored();
  const seen = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    const { child, ended } = startCli(settings, ['key', 'rewrap']);
    ended.catch(() => undefined);
    // Most of its time goes by before it does anything: later rounds begin to count when it does, or end it then.
    if (round >= 5) await theNextMasterKeyComesOrGoes(dataDir, ended);
    if (round < 5 || round % 2 === 0) await delay(Math.random() * (round < 5 ? 600 : 25));
    child.kill('SIGKILL');
    await ended.catch(() => undefined);

    expect(await startsWell(), `round ${round}`).toBe(true);
    const now = await stored();
    seen.add(`${(await masterKeys()).length} ${now === before ? 'old' : 'new'}`);
    before = now;
  }
  // Some died while the next master key waited, and some were done with it.
  expect(seen.has('2 old')).toBe(true);
  expect(await rewrapped(settings)).toMatchObject({ rewrapped: expect.any(Number) });
  expect([await startsWell(), await masterKeys()]).toEqual([true, ['master.key']]);
}, 120_000);

/** Or the program ends. */
async function theNextMasterKeyComesOrGoes(folder: string, ended: Promise<unknown>): Promise<void> {
  const watcher = watch(folder);
  const changed = new Promise<void>((resolve) => {
    watcher.on('change', (_, name) => name === 'master.key.new' && resolve());
  });
  await Promise.race([changed, ended.catch(() => undefined)]);
  watcher.close();
}

test('a master key of the settings is for their owner to replace, and loads from beside the old one until then', async () => {
  const { settings: given, drop } = await aDatabase();
  onTestFinished(drop);
  const folder = await aTemporaryFolder();
  const file = join(folder, 'master.key');
  const { GATEHOUSE_MASTER_KEY: old = '', ...rest } = given;
  await writeFile(file, old);
  const settings: ProcessEnvironment = { ...rest, GATEHOUSE_MASTER_KEY_FILE: file };
  await runCli(settings, ['migrate']);
  expect(await runCli(settings, ['key', 'create'])).toMatchObject({ status: 0 });

  const refused = await runCli(settings, ['key', 'rewrap']);
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('gatehouse key new-master >') });
  const wrong = await runCli(settings, ['key', 'rewrap', '--new-master-key-file', join(folder, 'none')]);
  expect(wrong).toMatchObject({ status: 1, stderr: expect.stringContaining('none cannot be read') });

  await writeFile(`${file}.new`, (await runCli({}, ['key', 'new-master'])).stdout);
  const rewrap = ['key', 'rewrap', '--new-master-key-file', `${file}.new`];
  expect(await runCli(settings, rewrap)).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('GATEHOUSE_MASTER_KEY_FILE has the old one'),
  });
  expect(await readFile(file, 'utf8')).toBe(old);
  expect(await runCli(settings, ['key', 'create'])).toMatchObject({ status: 0 });
  expect(await rewrapped(settings, ...rewrap.slice(2))).toEqual({ rewrapped: 0, unchanged: 4 });

  await rename(`${file}.new`, file);
  expect(await runCli(settings, ['key', 'create'])).toMatchObject({ status: 0 });
  expect(await runCli(given, ['key', 'create'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is not the one'),
  });
  expect(await runCli(given, rewrap.with(-1, file))).toMatchObject({ status: 0 });
}, 60_000);
