import { execFileSync } from 'node:child_process';
import { linkSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { chmod, link, mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { aTemporaryFolder } from '../../testing/temporary-folder.ts';
import { createOwnFile, openOwnFile } from './own-file.ts';

let folder: string;
let path: string;
let other: string;
beforeEach(async () => {
  folder = await aTemporaryFolder();
  path = join(folder, 'audit.jsonl');
  other = join(folder, 'another');
  await writeFile(other, 'precious', { mode: 0o600 });
});

describe('a file that is opened to be added to', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a link to a file',
      () => symlink(other, path),
      'is a symbolic link, which is not followed: name the file itself',
    ],
    ['a link to nothing', () => symlink(join(folder, 'nothing'), path), 'is a symbolic link'],
    ['a second name of a file', () => link(other, path), 'has 2 names (hard links)'],
    ['a pipe', () => execFileSync('mkfifo', [path]), 'is not a regular file: name one'],
    ['a folder', () => mkdir(path), 'is not a regular file'],
    [
      'a file that a group may write',
      () => rename(other, path).then(() => chmod(path, 0o620)),
      '(mode 0620)',
    ],
    ['a file that all may write', () => rename(other, path).then(() => chmod(path, 0o602)), '(mode 0602)'],
  ])('is refused if it is %s', async (_, put, message) => {
    await put();
    await expect(openOwnFile(path)).rejects.toMatchObject({
      status: 2,
      message: expect.stringContaining(message),
    });
    await expect(stat(join(folder, 'nothing'))).rejects.toThrow('ENOENT');
  });

  test('is refused if it is a device', async () => {
    await expect(openOwnFile('/dev/null')).rejects.toThrow('is not a regular file');
  });

  test('is refused if it is of another user, also if that is root, and for root', async () => {
    const { uid } = await stat(other);
    for (const user of [uid + 1, 0, uid + 2].filter((each) => each !== uid)) {
      vi.spyOn(process, 'geteuid').mockReturnValue(user);
      await expect(openOwnFile(other)).rejects.toThrow(`belongs to another user (uid ${uid})`);
    }
  });

  test.each<[string, () => void]>([
    ['a link', () => symlinkSync(other, path)],
    ['a second name of a file', () => linkSync(other, path)],
    ['a pipe', () => execFileSync('mkfifo', [path])],
  ])('is refused if %s takes its place while it is opened', async (_, put) => {
    await writeFile(path, '', { mode: 0o600 });
    const { uid } = await stat(path);
    vi.spyOn(process, 'geteuid').mockImplementationOnce(() => {
      unlinkSync(path);
      put();
      return uid;
    });
    await expect(openOwnFile(path)).rejects.toMatchObject({ name: 'CommandError' });
    expect(await readFile(other, 'utf8')).toBe('precious');
  });

  test('is opened if it is of this user, who alone may write to it, and created if it is not there', async () => {
    await chmod(other, 0o644);
    await using own = await openOwnFile(other);
    await own.appendFile(' things');
    expect(await readFile(other, 'utf8')).toBe('precious things');
    await using created = await openOwnFile(path);
    expect((await created.stat()).mode & 0o777).toBe(0o600);
  });
});

describe('a new file', () => {
  test('is never one that is there, nor what a link leads to', async () => {
    await symlink(join(folder, 'nothing'), path);
    for (const taken of [path, other]) {
      await expect(createOwnFile(taken)).rejects.toMatchObject({
        status: 5,
        message: expect.stringContaining('already exists and was not overwritten'),
      });
    }
    await expect(stat(join(folder, 'nothing'))).rejects.toThrow('ENOENT');
  });

  test('is removed if it is not wanted, and what took its place is not', async () => {
    const first = await createOwnFile(path);
    await first.discard();
    await expect(stat(path)).rejects.toThrow('ENOENT');
    const second = await createOwnFile(path);
    renameSync(other, path);
    writeFileSync(other, '');
    await second.discard();
    expect(await readFile(path, 'utf8')).toBe('precious');
  });
});
