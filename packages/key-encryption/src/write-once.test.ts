import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeOnce } from './write-once.ts';

describe('Writing a file once', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-write-once-'));
    path = join(folder, 'file');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('makes it readable by its owner only, and leaves no temporary file behind', async () => {
    await writeOnce(path, 'first');
    expect(await readFile(path, 'utf8')).toBe('first');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('does not change an existing file', async () => {
    await writeFile(path, '');
    await writeOnce(path, 'second');
    expect(await readFile(path, 'utf8')).toBe('');
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('shows concurrent callers the same, complete text', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => String(index).repeat(1000));
    const read = await Promise.all(
      texts.map(async (text) => {
        await writeOnce(path, text);
        return readFile(path, 'utf8');
      }),
    );
    expect(new Set(read).size).toBe(1);
    expect(texts).toContain(read[0]);
  });

  it('throws if it cannot write', async () => {
    await expect(writeOnce(join(folder, 'none', 'file'), 'text')).rejects.toThrow('ENOENT');
  });
});
