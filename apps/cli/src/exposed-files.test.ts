import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import type { ProcessEnvironment } from '../testing/process.ts';
import { runHere } from '../testing/run-here.ts';
import { aTemporaryFolder, aUsedDataFolder } from '../testing/temporary-folder.ts';

const findingsOf = (stdout: string) =>
  JSON.parse(stdout).findings.map(({ code, message }: Record<string, string>) => [code, message]);

/** Creates a database with signing keys, which are encrypted with a master key in a file. */
async function withMasterKeyFile({ GATEHOUSE_MASTER_KEY: key = '', ...rest }: ProcessEnvironment) {
  const file = join(await aTemporaryFolder(), 'master.key');
  await writeFile(file, key, { mode: 0o600 });
  const settings = { ...rest, GATEHOUSE_MASTER_KEY_FILE: file };
  expect(await runHere(settings, ['key', 'create'])).toMatchObject({ status: 0 });
  return { settings, file, key };
}

test('a data folder in which other users can write is refused by every command, and reported by doctor', async () => {
  const dataDir = await aUsedDataFolder();
  const settings = { GATEHOUSE_DATA_DIR: dataDir };
  expect(await runHere(settings, ['migrate'])).toMatchObject({ status: 0 });
  const remedy = `run \`chmod go-w ${dataDir}\``;
  for (const mode of [0o777, 0o775]) {
    await chmod(dataDir, mode);
    for (const args of [['migrate'], ['account', 'list'], ['key', 'create'], ['key', 'rewrap']]) {
      const { status, stderr } = await runHere(settings, args);
      expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(remedy) });
    }
    const { status, stdout } = await runHere(settings, ['doctor', '--json']);
    expect(status).toBe(6);
    expect(findingsOf(stdout)).toEqual([['data_folder_exposed', expect.stringContaining(remedy)]]);
  }
  await chmod(dataDir, 0o755);
  expect(await runHere(settings, ['account', 'list'])).toMatchObject({ status: 0 });
});

test('a master key that other users can read is refused by commands that sign, and reported by doctor', async () => {
  await using database = await aDatabase({ isMigrated: true });
  const { settings, file, key } = await withMasterKeyFile(database.settings);
  await writeFile(`${file}.new`, key, { mode: 0o600 });

  for (const path of [file, `${file}.new`]) {
    await chmod(path, 0o644);
    const remedy = `run \`chmod 600 ${path}\``;
    const { status, stderr } = await runHere(settings, ['key', 'create']);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(remedy) });
    expect(await runHere(settings, ['key', 'list'])).toMatchObject({ status: 0 });
    expect(findingsOf((await runHere(settings, ['doctor', '--json'])).stdout)).toContainEqual([
      'master_key_unusable',
      expect.stringContaining(remedy),
    ]);
    await chmod(path, 0o600);
  }
  expect(await runHere(settings, ['key', 'create'])).toMatchObject({ status: 0 });
});

test('a replaced master key that other users can read is reported by doctor', async () => {
  await using database = await aDatabase({ isMigrated: true });
  const { settings, file, key } = await withMasterKeyFile(database.settings);
  const kept = `${file}.2026-01-31.2`;
  await writeFile(kept, key, { mode: 0o600 });
  const look = async () => findingsOf((await runHere(settings, ['doctor', '--json'])).stdout);
  expect(await look()).toEqual([]);
  await chmod(kept, 0o644);
  expect(await look()).toEqual([
    ['master_key_unusable', expect.stringContaining(`run \`chmod 600 ${kept}\``)],
  ]);
});
