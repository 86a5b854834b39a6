import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeUnlessReplaced } from './files.ts';

/** Runs once, before the next change of a folder. */
let meanwhile = () => {};
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const after = <A extends unknown[], R>(change: (...args: A) => Promise<R>) => {
    return (...args: A) => {
      meanwhile();
      meanwhile = () => {};
      return change(...args);
    };
  };
  return { ...real, rename: after(real.rename), rm: after(real.rm) };
});

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-files-'));
  path = join(folder, 'postmaster.pid');
});
afterEach(() => rm(folder, { recursive: true }));

describe('removeUnlessReplaced', () => {
  it('removes a file with the text', async () => {
    writeFileSync(path, 'old');
    await removeUnlessReplaced(path, 'old');
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['before it is read', () => writeFileSync(path, 'new'), () => {}],
    ['after it was read', () => {}, () => writeFileSync(path, 'new')],
  ])('keeps a file that is replaced %s', async (_, before, after) => {
    writeFileSync(path, 'old');
    before();
    meanwhile = after;
    await removeUnlessReplaced(path, 'old');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['postmaster.pid']);
  });

  it('does nothing if there is no such file, or no longer', async () => {
    await removeUnlessReplaced(path, 'old');
    expect(await readdir(folder)).toEqual([]);
  });
});
