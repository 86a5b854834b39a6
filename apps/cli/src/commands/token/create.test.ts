import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { START } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { AS_ADA, givenAda } from '../../../testing/ada.ts';
import { failingOutput } from '../../../testing/failing-output.ts';
import { aTemporaryFolder } from '../../../testing/temporary-folder.ts';

const CREATE = ['token', 'create', '--name', 'ERP'];

test('--out never overwrites a file, and creates no token then', async () => {
  const { run, store } = await givenAda();
  const path = join(await aTemporaryFolder(), 'erp.token');
  await writeFile(path, 'precious');
  expect(await run([...CREATE, ...AS_ADA, '--out', path])).toMatchObject({ status: 5, stdout: '' });
  expect(await run([...CREATE, ...AS_ADA, '--out', join(path, 'below')])).toMatchObject({ status: 1 });
  expect(await readFile(path, 'utf8')).toBe('precious');
  expect(await store.tokens.list({ now: START, limit: 9 })).toEqual([]);
});

test('a refused token leaves no file', async () => {
  const { run } = await givenAda();
  await run([...CREATE, ...AS_ADA]);
  const folder = await aTemporaryFolder();
  expect((await run([...CREATE, ...AS_ADA, '--out', join(folder, 'erp.token')])).status).toBe(5);
  expect(await readdir(folder)).toEqual([]);
});

test.each(['ENOSPC', 'EPIPE'])('a token that could not be printed (%s) is revoked', async (code) => {
  const { run, store } = await givenAda();
  const failed = await run([...CREATE, ...AS_ADA], { stdout: failingOutput(code) });
  expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('so it was revoked') });
  expect(await store.tokens.list({ now: START, limit: 9 })).toMatchObject([
    { revocation: { reason: 'it could not be handed over' } },
  ]);
});

test('if even that fails, the user is told to do it', async () => {
  const { run, gatehouse } = await givenAda();
  Object.assign(gatehouse, { revokeToken: () => Promise.reject(new Error('gone')) });
  const failed = await run([...CREATE, ...AS_ADA], { stdout: failingOutput('EPIPE') });
  expect(failed).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('gatehouse token revoke 01999999-0000-7000-8000-000000000001'),
  });
});
