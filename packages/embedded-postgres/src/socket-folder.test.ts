import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { DataFolder } from '../testing/data-folder.ts';
import { prepareCluster } from './prepare-cluster.ts';
import { makeSocketFolder } from './socket-folder.ts';

vi.mock('node:fs/promises', { spy: true });
afterEach(() => vi.restoreAllMocks());

it('a first start that is overtaken by another uses the socket folder of the other', async () => {
  await using folder = await DataFolder.make({ subfolder: 'w'.repeat(100) });
  const cluster = await prepareCluster(folder.path, { fsync: 'off' });
  const { mkdtemp } = await vi.importActual<typeof fs>('node:fs/promises');
  let first = '';
  vi.mocked(fs.mkdtemp).mockImplementationOnce(async (prefix) => {
    const made = await mkdtemp(prefix);
    first = await makeSocketFolder(cluster);
    return made;
  });
  const second = await makeSocketFolder(cluster);
  try {
    expect(second).toBe(first);
    expect(await fs.readlink(folder.paths.socket)).toBe(first);
    expect((await fs.lstat(first)).mode & 0o777).toBe(0o700);
    const ofThisData = basename(first).slice(0, -6);
    const siblings = await fs.readdir(dirname(first));
    expect(siblings.filter((name) => name.startsWith(ofThisData))).toHaveLength(1);
  } finally {
    for (const path of [first, second]) await fs.rm(path, { recursive: true, force: true });
  }
});

it('a link to a folder outside the temporary folder is replaced, and nothing is created there', async () => {
  await using folder = await DataFolder.make({ subfolder: 'v'.repeat(100) });
  const cluster = await prepareCluster(folder.path, { fsync: 'off' });
  const first = await makeSocketFolder(cluster);
  const elsewhere = join(folder.root, basename(first));
  await fs.rm(folder.paths.socket);
  await fs.symlink(elsewhere, folder.paths.socket);
  const second = await makeSocketFolder(cluster);
  try {
    expect(dirname(second)).toBe(dirname(first));
    expect(await fs.readlink(folder.paths.socket)).toBe(second);
    await expect(fs.lstat(elsewhere)).rejects.toMatchObject({ code: 'ENOENT' });
  } finally {
    for (const path of [first, second]) await fs.rm(path, { recursive: true, force: true });
  }
});
