import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { quickFolder } from './quick-folder.ts';

const HERE = import.meta.dirname;

it('is in memory if that has the space, else where temporary files are', async () => {
  const { bavail, bsize } = await statfs(HERE);
  expect(await quickFolder(HERE, (bavail * bsize) / 2)).toBe(HERE);
  expect(await quickFolder(HERE, bavail * bsize * 2)).toBe(tmpdir());
});

it('is where temporary files are on a machine without that file system', async () => {
  expect(await quickFolder(`${HERE}/missing`, 0)).toBe(tmpdir());
});
