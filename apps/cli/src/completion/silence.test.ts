import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../testing/process.ts';
import { aSilentServer } from '../../testing/silent-server.ts';
import { aDataFolder } from '../../testing/temporary-folder.ts';

const ASK = ['__complete', 'bash', '--', 'gatehouse token show ', ''];
const NOTHING = { status: 0, stdout: 'words\n', stderr: '' };

test('completion neither starts nor creates a database', async () => {
  const dataDir = await aDataFolder();
  const settings = { GATEHOUSE_DATA_DIR: dataDir };
  expect(await runCli(settings, ASK)).toEqual({ ...NOTHING, stdout: '' });
  expect(await readdir(dataDir)).toEqual([]);
  await runCli(settings, ['migrate']);
  expect(await runCli(settings, ASK)).toEqual(NOTHING);
  const log = await readdir(join(dataDir, 'postgres/data'));
  expect(log).not.toContain('postmaster.pid');
});

test.each([
  ['wrong settings', { DATABASE_URL: 'nonsense' }],
  ['a database that cannot be reached', { DATABASE_URL: 'postgres://127.0.0.1:1/gatehouse' }],
])('%s complete nothing, without a message', async (_, settings) => {
  expect(await runCli(settings, ASK)).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('completion does not wait for a database that does not respond', async () => {
  const { settings } = await aSilentServer();
  const begun = performance.now();
  expect(await runCli(settings, ASK)).toEqual({ status: 0, stdout: '', stderr: '' });
  // Two seconds plus some time for a busy machine; connecting alone would take ten.
  expect(performance.now() - begun).toBeLessThan(8_000);
});
