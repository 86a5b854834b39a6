import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeUnlessReplaced } from './files.ts';

/** Each runs once, before the next change of a folder. */
let meanwhile: (() => void)[] = [];
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const after = <A extends unknown[], R>(change: (...args: A) => Promise<R>) => {
    return (...args: A) => {
      meanwhile.shift()?.();
      return change(...args);
    };
  };
  return { ...real, link: after(real.link), rename: after(real.rename), rm: after(real.rm) };
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

  const write = (text: string) => () => writeFileSync(path, text);

  it.each([
    ['one that was replaced before', 'new', []],
    ['one that is replaced after it was read', 'new', [write('new')]],
    ['one that is replaced again', 'newer', [write('new'), write('newer')]],
  ])('keeps %s', async (_, kept, changes) => {
    writeFileSync(path, changes.length === 0 ? kept : 'old');
    meanwhile = changes;
    await removeUnlessReplaced(path, 'old');
    expect(await readFile(path, 'utf8')).toBe(kept);
    expect(await readdir(folder)).toEqual(['postmaster.pid']);
  });

  it.each([
    ['is none', false, []],
    ['is none any more', true, [() => rmSync(path)]],
  ])('does nothing if there %s', async (_, exists, changes) => {
    if (exists) writeFileSync(path, 'old');
    meanwhile = changes;
    await removeUnlessReplaced(path, 'old');
    expect(await readdir(folder)).toEqual([]);
  });
});
