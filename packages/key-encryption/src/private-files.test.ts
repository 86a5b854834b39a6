import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exposureOfFile, exposureOfFolder, fileExposure, folderExposure } from './private-files.ts';

const gatehouse = { uid: 1000, name: 'gatehouse' };
const root = { uid: 0, name: 'root' };

describe('a file with a secret', () => {
  const judge = (uid: number, mode: number, rules: Parameters<typeof fileExposure>[2] = {}) =>
    fileExposure('/data/master.key', { uid, mode: 0o100_000 | mode }, { user: gatehouse, ...rules });

  it.each([0o600, 0o400, 0o700])('of the user is private with mode %o', (mode) => {
    for (const groupMayRead of [true, false]) expect(judge(1000, mode, { groupMayRead })).toBeUndefined();
  });

  it.each([0o644, 0o640, 0o604, 0o660, 0o620, 0o602, 0o666, 0o777])(
    'of the user is refused with mode %o, with either rule',
    (mode) => {
      for (const groupMayRead of [true, false]) {
        expect(judge(1000, mode, { groupMayRead })).toMatch(/: run `chmod 600 \/data\/master\.key`$/);
      }
    },
  );

  it('says what other users could do, and the mode', () => {
    expect(judge(1000, 0o644)).toMatch(/^other users can read \/data\/master\.key \(mode 0644\): /);
    expect(judge(1000, 0o622)).toMatch(/^other users can change \/data\/master\.key \(mode 0622\): /);
  });

  it('of root may be readable by its group if a setting names it, but by no other user', () => {
    for (const user of [gatehouse, root]) {
      for (const mode of [0o640, 0o440]) {
        expect(judge(0, mode, { groupMayRead: true, user })).toBeUndefined();
        expect(judge(0, mode, { user })).toBeDefined();
      }
      for (const mode of [0o644, 0o444, 0o660])
        expect(judge(0, mode, { groupMayRead: true, user })).toBeDefined();
    }
    expect(judge(0, 0o444)).toMatch(
      /run as root `chown gatehouse \/data\/master\.key && chmod 600 \/data\/master\.key`$/,
    );
    expect(judge(0, 0o444, { user: root })).toMatch(/: run `chmod 600 \/data\/master\.key`$/);
  });

  it('of another user is refused, except by root, who runs commands on files of services', () => {
    expect(judge(1001, 0o600)).toMatch(
      /^\/data\/master\.key belongs to another user \(uid 1001\): run as root `chown/,
    );
    expect(judge(1001, 0o600, { user: root })).toBeUndefined();
    expect(judge(1001, 0o640, { user: root, groupMayRead: true })).toBeDefined();
  });

  it('is quoted for a shell', () => {
    const exposure = fileExposure("/da ta/it's.key", { uid: 1000, mode: 0o644 }, { user: gatehouse });
    expect(exposure).toMatch(/`chmod 600 '\/da ta\/it'\\''s\.key'`$/);
  });
});

describe('a folder', () => {
  const judge = (uid: number, mode: number, rules: Parameters<typeof folderExposure>[2] = {}) =>
    folderExposure('/data', { uid, mode: 0o040_000 | mode }, { user: gatehouse, ...rules });

  it.each([0o700, 0o711, 0o755, 0o2755])('of mode %o is safe', (mode) => {
    for (const uid of [1000, 0]) expect(judge(uid, mode)).toBeUndefined();
  });

  it.each([0o777, 0o775, 0o757, 0o1777, 0o2775])(
    'of mode %o is refused, with the command that fixes it',
    (mode) => {
      expect(judge(1000, mode)).toMatch(
        /^other users can write in \/data \(mode \d{4}\): run `chmod go-w \/data`$/,
      );
      expect(judge(0, mode)).toMatch(/run as root `chown gatehouse \/data && chmod go-w \/data`$/);
      expect(judge(0, mode, { user: root })).toMatch(/: run `chmod go-w \/data`$/);
    },
  );

  it('of another user is refused, except by root', () => {
    expect(judge(1001, 0o700)).toMatch(/^\/data belongs to another user \(uid 1001\)/);
    expect(judge(1001, 0o700, { user: root })).toBeUndefined();
  });

  it('that is shared may have the sticky bit, or be writable by a group that root chose', () => {
    for (const mode of [0o1777, 0o3777]) expect(judge(0, mode, { shared: true })).toBeUndefined();
    for (const mode of [0o770, 0o2775]) expect(judge(0, mode, { shared: true })).toBeUndefined();
    expect(judge(0, 0o777, { shared: true })).toBeDefined();
    expect(judge(1000, 0o775, { shared: true })).toBeDefined();
  });
});

describe('the entry at a path', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-private-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is checked behind a symbolic link', async () => {
    const [file, link] = [join(folder, 'file'), join(folder, 'link')];
    await writeFile(file, '');
    await symlink(file, link);
    await chmod(file, 0o644);
    expect(exposureOfFile(link)).toMatch(/other users can read .*link/);
    await chmod(file, 0o600);
    expect(exposureOfFile(link)).toBeUndefined();
  });

  it('is not checked if it is neither a file nor a folder as expected', async () => {
    await mkdir(join(folder, 'open'));
    await chmod(join(folder, 'open'), 0o777);
    expect(exposureOfFile(join(folder, 'none'))).toBeUndefined();
    expect(exposureOfFile(join(folder, 'open'))).toBeUndefined();
    expect(exposureOfFolder(join(folder, 'none', 'none'))).toBeUndefined();
    expect(exposureOfFolder(join(folder, 'open'))).toBeDefined();
  });
});
