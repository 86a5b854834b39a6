import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { DataFolder } from '../testing/data-folder.ts';
import { ForeignFolderError, joinEmbeddedPostgres, openEmbeddedPostgres } from './index.ts';

const run = promisify(execFile);

/** The uid of a user other than root. */
const NOBODY = 65_534;
const settings = { fsync: 'off' };

/** A data folder with a database, all of it owned by the other user, like a service's. */
async function aServicesFolder(): Promise<DataFolder> {
  const folder = await DataFolder.make();
  await openAndClose(folder.path);
  await run('chown', ['-R', `${NOBODY}:${NOBODY}`, folder.path]);
  await chmod(folder.path, 0o700);
  return folder;
}

/** Opening and joining fail. */
async function expectRefusal(dataDir: string, message: RegExp | string): Promise<void> {
  for (const open of [openEmbeddedPostgres, joinEmbeddedPostgres]) {
    const error = await open({ dataDir, settings }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ForeignFolderError);
    expect((error as Error).message).toMatch(message);
  }
}

/** The message for a path that belongs to the other user. */
const belongsToOther = (path: string) =>
  new RegExp(`^${path}.* belongs to (?<user>\\w+), .* \`runuser -u \\k<user> -- ./gatehouse`);

const openAndClose = async (dataDir: string) => (await openEmbeddedPostgres({ dataDir, settings })).close();

describe.runIf(process.getuid?.() === 0)('root', () => {
  it('does not open another user’s data folder, and neither writes through its links nor changes its mode', async () => {
    await using folder = await aServicesFolder();
    await using elsewhere = await DataFolder.make();
    const victim = join(elsewhere.path, 'victim');
    await writeFile(victim, 'of root\n', { mode: 0o600 });
    await rm(folder.paths.log);
    await symlink(victim, folder.paths.log);
    await lchown(folder.paths.log, NOBODY, NOBODY);

    await expectRefusal(folder.path, belongsToOther(folder.path));
    expect(await readFile(victim, 'utf8')).toBe('of root\n');
    expect(await stat(victim)).toMatchObject({ uid: 0, gid: 0 });
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
  });

  it('does not create a folder at the target of another user’s socket link', async () => {
    await using folder = await aServicesFolder();
    await using other = await DataFolder.make();
    const made = join(other.path, 'made');
    await rm(folder.paths.socket, { recursive: true });
    await symlink(made, folder.paths.socket);
    await expectRefusal(folder.path, belongsToOther(folder.path));
    expect(await readdir(other.path)).toEqual([]);
  });

  it('does not open a database that another user put into root’s data folder', async () => {
    await using folder = await aServicesFolder();
    await chown(folder.path, 0, 0);
    await expectRefusal(folder.path, belongsToOther(folder.paths.folder));
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
  });

  it('does not follow another user’s link to a folder of root, which keeps its mode and gets no database', async () => {
    await using folder = await DataFolder.make();
    const [link, own] = [join(folder.path, 'link'), join(folder.path, 'own')];
    await mkdir(own, { mode: 0o700 });
    await symlink(own, link);
    await lchown(link, NOBODY, NOBODY);
    await expectRefusal(link, belongsToOther(link));
    expect((await lstat(own)).mode & 0o777).toBe(0o700);
    expect(await readdir(own)).toEqual([]);
  });

  it('creates and changes nothing below another user’s link on the path to the data folder', async () => {
    await using folder = await DataFolder.make();
    const [app, own] = [join(folder.path, 'app'), join(folder.path, 'own')];
    const data = join(own, 'data');
    await mkdir(data, { recursive: true, mode: 0o700 });
    await symlink(own, app);
    await lchown(app, NOBODY, NOBODY);
    for (const dataDir of [join(app, 'data'), join(app, 'new', 'data')]) {
      await expectRefusal(dataDir, belongsToOther(app));
    }
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    expect(await readdir(own)).toEqual(['data']);
    expect(await readdir(data)).toEqual([]);
  });

  it('creates nothing in another user’s folder above the data folder, even through a link of root', async () => {
    await using folder = await DataFolder.make();
    const [home, link] = [join(folder.path, 'home'), join(folder.path, 'link')];
    await mkdir(join(home, 'roots'), { recursive: true });
    await chown(home, NOBODY, NOBODY);
    await symlink(join('home', 'roots'), link);
    for (const dataDir of [join(home, 'roots'), join(home, 'new'), link, join(link, 'new')]) {
      await expectRefusal(dataDir, belongsToOther(home));
    }
    expect(await readdir(home)).toEqual(['roots']);
    expect(await readdir(join(home, 'roots'))).toEqual([]);
  });

  it('creates nothing in a folder whose entries other users can replace', async () => {
    await using folder = await DataFolder.make();
    const open = join(folder.path, 'open');
    await mkdir(open);
    await chmod(open, 0o777);
    await expectRefusal(join(open, 'data'), `chmod go-w ${open}`);
    expect(await readdir(open)).toEqual([]);
  });

  it('creates nothing in a folder whose entries a group other than root’s can replace', async () => {
    await using folder = await DataFolder.make();
    const shared = join(folder.path, 'shared');
    await mkdir(shared);
    await chmod(shared, 0o775);
    const data = join(shared, 'data');
    await chown(shared, 0, NOBODY);
    await expectRefusal(data, new RegExp(`group ${NOBODY} .*chmod go-w ${shared}`));
    expect(await readdir(shared)).toEqual([]);
    await chmod(folder.path, 0o711);
    await chmod(shared, 0o1775);
    await openAndClose(data);
    await chown(shared, 0, 0);
    await chmod(shared, 0o775);
    await openAndClose(data);
  });

  it('does not open its own data folder if a group other than its own can replace the database', async () => {
    await using folder = await DataFolder.make();
    await openAndClose(folder.path);
    await chown(folder.paths.folder, 0, NOBODY);
    await chmod(folder.paths.folder, 0o771);
    await expectRefusal(folder.path, `chmod go-w ${folder.paths.folder}`);
  });

  it('opens its own data folder, in which the system user that PostgreSQL runs as cannot create entries', async () => {
    await using folder = await DataFolder.make();
    for (let start = 1; start <= 2; start += 1) await openAndClose(folder.path);
    for (const path of [folder.path, folder.paths.folder]) {
      const { uid, mode } = await stat(path);
      expect([uid, mode & 0o022]).toEqual([0, 0]);
    }
    expect((await stat(folder.paths.data)).uid).not.toBe(0);
  });
});

it('does not write to a log that is a symbolic link', async () => {
  await using folder = await DataFolder.make();
  const options = { dataDir: folder.path, settings };
  await openAndClose(folder.path);
  const victim = join(folder.path, 'victim');
  await writeFile(victim, 'kept\n', { mode: 0o600 });
  const before = await stat(victim);
  await rename(folder.paths.log, `${folder.paths.log}.before`);
  await symlink(victim, folder.paths.log);
  await expect(openEmbeddedPostgres(options)).rejects.toThrow(`delete ${folder.paths.log}`);
  expect(await readFile(victim, 'utf8')).toBe('kept\n');
  expect(await stat(victim)).toMatchObject({ uid: before.uid, gid: before.gid });
});

it('does not write to a log that is a hard link', async () => {
  await using folder = await DataFolder.make();
  const options = { dataDir: folder.path, settings };
  await openAndClose(folder.path);
  await run('ln', [folder.paths.log, join(folder.path, 'victim')]);
  await expect(openEmbeddedPostgres(options)).rejects.toThrow(`delete ${folder.paths.log}`);
});
