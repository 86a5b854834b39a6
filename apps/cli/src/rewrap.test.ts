import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { runWhileLocked } from '../testing/lock-holder.ts';
import { type ProcessEnvironment, runCli } from '../testing/process.ts';
import { aDataFolderWithKeys, rewrapped } from '../testing/rewrapping.ts';
import { runHere } from '../testing/run-here.ts';
import { aTemporaryFolder } from '../testing/temporary-folder.ts';

const NONE = { rewrapped: 0, unchanged: 0, unreadable: 0 };

test('the master key of the data folder is replaced there, by a new or a given one', async () => {
  const { dataDir, settings, startsWell, masterKeys, stored, kept } = await aDataFolderWithKeys();
  const first = await stored();
  const counted = { rewrapped: 3, unchanged: 0, master_key_file: join(dataDir, 'master.key') };
  expect(await rewrapped(settings)).toMatchObject(counted);
  const second = await stored();
  expect(second).not.toBe(first);
  expect([await startsWell(), await masterKeys()]).toEqual([true, ['master.key']]);

  const file = join(dataDir, 'given');
  await writeFile(file, (await runHere({}, ['key', 'new-master'])).stdout, { mode: 0o600 });
  expect(await rewrapped(settings, ['--new-master-key-file', file])).toMatchObject(counted);
  expect(await stored()).toBe(await readFile(file, 'utf8'));
  expect([await startsWell(), await masterKeys()]).toEqual([true, ['master.key']]);

  const several = await Promise.all([1, 2, 3].map(() => rewrapped(settings, [], runCli)));
  for (const each of several) expect(each).toMatchObject(counted);
  // The first master key and all its replacements except for the last, each once.
  expect(new Set(several.map((each) => each.kept_master_key_file)).size).toBe(3);
  expect(new Set(await kept()).size).toBe(6);
  expect(await kept()).toContain(first);
  expect([await startsWell(), await masterKeys()]).toEqual([true, ['master.key']]);
  expect(await runHere(settings, ['key', 'create'])).toMatchObject({ status: 0 });
});

test('a rewrap names the session that holds the rewrap lock', async () => {
  await using database = await aDatabase({ isMigrated: true });
  expect(await runHere(database.settings, ['key', 'create'])).toMatchObject({ status: 0 });
  const file = join(await aTemporaryFolder(), 'new.key');
  await writeFile(file, (await runHere({}, ['key', 'new-master'])).stdout, { mode: 0o600 });
  const rewrap = ['key', 'rewrap', '--new-master-key-file', file];
  const { pid, lines } = await runWhileLocked(database.settings, rewrap, {
    statements: ['select pg_advisory_lock(7273664)'],
    until: 'waiting',
  });
  expect(lines[0]).toBe(
    `warning: waiting, because another session is replacing the master key: process ${pid} ("psql")`,
  );
});

test('the master key of a file is replaced there, also by one that was stored beside it on each of several machines', async () => {
  const { settings: given, drop } = await aDatabase({ isMigrated: true });
  onTestFinished(drop);
  const [here, there] = [await aTemporaryFolder(), await aTemporaryFolder()];
  const { GATEHOUSE_MASTER_KEY: old = '', ...rest } = given;
  for (const folder of [here, there]) await writeFile(join(folder, 'key'), old, { mode: 0o600 });
  const settingsIn = (folder: string): ProcessEnvironment => ({
    ...rest,
    GATEHOUSE_MASTER_KEY_FILE: join(folder, 'key'),
  });
  expect(await runHere(settingsIn(here), ['key', 'create'])).toMatchObject({ status: 0 });

  const next = (await runHere({}, ['key', 'new-master'])).stdout;
  for (const folder of [here, there]) await writeFile(join(folder, 'key.new'), next, { mode: 0o600 });
  for (const [folder, counts] of [
    [here, { rewrapped: 3, unchanged: 0 }],
    [there, { rewrapped: 0, unchanged: 3 }],
  ] as const) {
    // Also before its turn.
    expect((await runHere(settingsIn(there), ['doctor'])).stdout).toContain('The master key decrypts');
    const { kept_master_key_file: kept, ...done } = await rewrapped(settingsIn(folder));
    expect(done).toEqual({
      ...counts,
      second_factors: NONE,
      webhooks: NONE,
      master_key_file: join(folder, 'key'),
    });
    expect(await readFile(kept, 'utf8')).toBe(old);
    expect(await readFile(join(folder, 'key'), 'utf8')).toBe(next);
    expect(await readdir(folder)).toHaveLength(2);
    expect(await runHere(settingsIn(folder), ['doctor'])).toMatchObject({
      stdout: expect.stringContaining('The master key decrypts'),
    });
  }

  // A machine with only the old key creates none, because a later attempt would use it as the next one.
  await writeFile(join(there, 'key'), old, { mode: 0o600 });
  const refused = await runHere(settingsIn(there), ['key', 'rewrap']);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('is not the master key') });
  expect(await readdir(there)).not.toContain('key.new');
});

test('a given master key is not stored before one of the two decrypts the signing keys', async () => {
  const { settings: given, drop } = await aDatabase({ isMigrated: true });
  onTestFinished(drop);
  const folder = await aTemporaryFolder();
  const { GATEHOUSE_MASTER_KEY: old = '', ...rest } = given;
  const file = join(folder, 'key');
  const settings: ProcessEnvironment = { ...rest, GATEHOUSE_MASTER_KEY_FILE: file };
  await writeFile(file, old, { mode: 0o600 });
  expect(await runHere(settings, ['key', 'create'])).toMatchObject({ status: 0 });
  const [right, wrong] = [join(folder, 'right'), join(folder, 'wrong')];
  for (const path of [right, wrong, file]) {
    await writeFile(path, (await runHere({}, ['key', 'new-master'])).stdout, { mode: 0o600 });
  }
  await writeFile(right, old);

  const refused = await runHere(settings, ['key', 'rewrap', '--new-master-key-file', wrong]);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('is not the master key') });
  expect((await readdir(folder)).toSorted()).toEqual(['key', 'right', 'wrong']);
  expect(await rewrapped(settings, ['--new-master-key-file', right])).toMatchObject({ unchanged: 3 });
  expect(await readFile(file, 'utf8')).toBe(`${old}\n`);
});

test('a master key that the command cannot replace is left to the operator, with instructions', async () => {
  const { settings: given, drop } = await aDatabase({ isMigrated: true });
  onTestFinished(drop);
  const folder = await aTemporaryFolder();
  const [file, link] = [join(folder, 'new.key'), join(folder, 'link')];
  const { GATEHOUSE_MASTER_KEY: old = '', ...rest } = given;
  await writeFile(file, (await runHere({}, ['key', 'new-master'])).stdout, { mode: 0o600 });
  await writeFile(join(folder, 'real'), old, { mode: 0o600 });
  await symlink(join(folder, 'real'), link);
  expect(await runHere(given, ['key', 'create'])).toMatchObject({ status: 0 });

  const mounted: ProcessEnvironment = { ...rest, GATEHOUSE_MASTER_KEY_FILE: link };
  for (const settings of [given, mounted]) {
    const refused = await runHere(settings, ['key', 'rewrap']);
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('gatehouse key new-master >'),
    });
  }
  const rewrap = ['key', 'rewrap', '--new-master-key-file', file];
  for (const [settings, place] of [
    [given, 'GATEHOUSE_MASTER_KEY'],
    [mounted, link],
  ] as const) {
    const { status, stderr } = await runHere(settings, rewrap);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining(`in ${place} now`) });
    expect(stderr).toContain('Keep the old master key');
    expect((await readdir(folder)).toSorted()).toEqual(['link', 'new.key', 'real']);
    expect(await runHere(settings, ['key', 'create'])).toMatchObject({ status: 1 });
  }
  expect(await runHere({ ...rest, GATEHOUSE_MASTER_KEY_FILE: file }, ['key', 'create'])).toMatchObject({
    status: 0,
  });
});

test('a database dump from before a rewrap can be decrypted with the master key that was kept', async () => {
  const { settings: given, url, drop } = await aDatabase({ isMigrated: true });
  onTestFinished(drop);
  const file = join(await aTemporaryFolder(), 'master.key');
  const { GATEHOUSE_MASTER_KEY: old = '', ...rest } = given;
  await writeFile(file, `${old}\n`, { mode: 0o600 });
  const settings: ProcessEnvironment = { ...rest, GATEHOUSE_MASTER_KEY_FILE: file };
  expect(await runHere(settings, ['key', 'create'])).toMatchObject({ status: 0 });
  const restored = await aCopyOf(url);

  const { kept_master_key_file: kept } = await rewrapped(settings);
  expect(kept).toMatch(/\/master\.key\.\d{4}-\d\d-\d\d$/);
  expect(await readFile(kept, 'utf8')).toBe(`${old}\n`);
  expect((await stat(kept)).mode & 0o777).toBe(0o600);
  expect(await runHere(settings, ['key', 'create'])).toMatchObject({ status: 0 });

  const onTheDump = { ...settings, DATABASE_URL: restored };
  expect(await runHere(onTheDump, ['key', 'create'])).toMatchObject({ status: 1 });
  const withTheKept = { ...onTheDump, GATEHOUSE_MASTER_KEY_FILE: kept };
  expect(await runHere(withTheKept, ['key', 'create'])).toMatchObject({ status: 0 });
  expect(await runHere(withTheKept, ['doctor', '--json'])).toMatchObject({
    stdout: expect.not.stringContaining('master_key_rejected'),
  });
});

/** Restores the database as `pg_dump` and `pg_restore` would. */
async function aCopyOf(url: string): Promise<string> {
  const copy = await aDatabase();
  onTestFinished(copy.drop);
  const [from, to] = [url, copy.url].map((each) => new URL(each).pathname.slice(1));
  const server = new URL(url);
  server.pathname = 'postgres';
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  try {
    await client.query(`drop database ${to}`);
    await client.query(`create database ${to} template ${from}`);
  } finally {
    await client.end();
  }
  return copy.url;
}
