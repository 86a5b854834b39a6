import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brokenSecretFiles, SECRET } from '@gatehouse/installation/testing';
import { createMasterKey } from '@gatehouse/key-encryption';
import { expect, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { runCli } from '../testing/process.ts';
import { runHere } from '../testing/run-here.ts';
import { aTemporaryFolder } from '../testing/temporary-folder.ts';

test('a secret file that cannot be used is said in one line by each command, with status 2, and no secret is repeated', async () => {
  await using database = await aDatabase({ isMigrated: true });
  const folder = await aTemporaryFolder();
  for (const { settings, line } of await brokenSecretFiles(folder, database.url)) {
    expect(await runHere(settings, ['key', 'create'])).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: ${line}\n`,
    });
    expect(line).not.toContain(SECRET);
  }
  expect(JSON.parse((await runHere(database.settings, ['key', 'list', '--json'])).stdout)).toEqual([]);
});

test('the program itself says it, and works once the files are right, with line ends of any kind', async () => {
  await using database = await aDatabase({ isMigrated: true });
  const folder = await aTemporaryFolder();
  const [urlFile, keyFile] = [join(folder, 'url'), join(folder, 'key')];
  const settings = {
    DATABASE_URL: '',
    DATABASE_URL_FILE: urlFile,
    DATABASE_LISTEN_URL_FILE: '',
    GATEHOUSE_MASTER_KEY_FILE: keyFile,
  };
  for (const args of [['migrate'], ['doctor'], ['key', 'create']]) {
    const { status, stderr } = await (args[0] === 'doctor' ? runCli : runHere)(settings, args);
    expect([status, stderr.split('\n')[0]]).toEqual([
      2,
      expect.stringMatching(/^error: DATABASE_URL_FILE names .*no such file or directory/),
    ]);
  }
  await writeFile(urlFile, `${database.url}\r\n`, { mode: 0o600 });
  await writeFile(keyFile, `${createMasterKey()}\r\n`, { mode: 0o600 });
  expect(await runCli(settings, ['migrate'])).toMatchObject({ status: 0 });
  expect(await runCli(settings, ['key', 'create'])).toMatchObject({ status: 0 });
});
