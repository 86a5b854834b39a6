import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkMasterKey } from '@gatehouse/domain/signing-keys';
import { createFixedClock, START } from '@gatehouse/domain/testing';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import { createFollowingKeyEncryption, loadMasterKey } from '@gatehouse/key-encryption';
import { createPostgresRepositories, openDatabase } from '@gatehouse/postgres';
import { expect, onTestFinished } from 'vitest';
import type { ProcessEnvironment, runCli } from './process.ts';
import { runHere } from './run-here.ts';
import { aUsedDataFolder } from './temporary-folder.ts';

/** Creates a data folder with keys, whose database keeps running. */
export async function aDataFolderWithKeys() {
  const dataDir = await aUsedDataFolder();
  const settings = { GATEHOUSE_DATA_DIR: dataDir };
  expect(await runHere(settings, ['migrate'])).toMatchObject({ status: 0 });
  const embedded = await openEmbeddedPostgres({ dataDir });
  const database = openDatabase({ url: embedded.url, poolSize: 1 });
  onTestFinished(async () => {
    await database.close();
    await embedded[Symbol.asyncDispose]();
  });
  expect(await runHere(settings, ['key', 'create', '--format', 'jwt'])).toMatchObject({ status: 0 });

  /** Whether a process that starts now can decrypt every key with the files in the folder. */
  async function startsWell(): Promise<boolean> {
    const loaded = await loadMasterKey({ dataDir, mayCreate: false });
    if (!loaded.ok) return false;
    const signingKeys = createPostgresRepositories(database).signingKeys;
    const encryption = createFollowingKeyEncryption(loaded.value, createFixedClock(START));
    return (await checkMasterKey({ signingKeys, encryption })).ok;
  }
  const masterKeys = async () =>
    (await readdir(dataDir)).filter((name) => /^master\.key(\.new)?$/.test(name));
  const stored = () => readFile(join(dataDir, 'master.key'), 'utf8');
  /** Returns the contents of the files whose names begin with that of the master key, except for the next one. */
  async function kept(): Promise<readonly string[]> {
    const names = (await readdir(dataDir)).filter((name) => /^master\.key($|\.\d)/.test(name));
    return Promise.all(names.map((name) => readFile(join(dataDir, name), 'utf8')));
  }
  return { dataDir, settings, startsWell, masterKeys, stored, kept };
}

/** Rewraps the keys, and returns what is printed as JSON. */
export async function rewrapped(
  settings: ProcessEnvironment,
  more: readonly string[] = [],
  run: typeof runCli = runHere,
) {
  const { status, stdout, stderr } = await run(settings, ['key', 'rewrap', '--json', ...more]);
  expect(stderr).not.toContain('error');
  expect(status).toBe(0);
  return JSON.parse(stdout);
}
