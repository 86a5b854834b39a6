import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataFolder, query } from '../testing/data-folder.ts';
import { SUPERUSER } from './cluster.ts';

const run = promisify(execFile);

const socketFolderOf = (url: string) => decodeURIComponent(new URL(url).hostname);

/** The sockets of a process that listen on a network, as /proc/net lists them. */
async function listeningSockets(pid: number): Promise<readonly unknown[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const held = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')));
  const sockets = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)));
  const [LISTENING, STATE, INODE] = ['0A', 3, 9];
  return sockets.filter(
    (socket) => socket[STATE] === LISTENING && held.includes(`socket:[${socket[INODE]}]`),
  );
}

describe('a running server', () => {
  let folder: DataFolder;
  let url: string;
  beforeAll(async () => {
    folder = await DataFolder.makeUsed();
    url = await folder.open().url();
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  it('listens on no network', async () => {
    expect(await query(url, "SELECT current_setting('listen_addresses')")).toEqual(['']);
    const server = (await folder.postmaster()) as number;
    if (process.platform === 'linux') expect(await listeningSockets(server)).toEqual([]);
  });

  it('has connections for many workers', async () => {
    expect(await query(url, "SELECT current_setting('max_connections')")).toEqual(['300']);
  });

  it('has its socket in a folder of mode 0700 that belongs to the user it runs as', async () => {
    const socketFolder = socketFolderOf(url);
    expect(socketFolder).toBe(folder.paths.socket);
    const [found, data] = [await lstat(socketFolder), await lstat(folder.paths.data)];
    expect([found.isDirectory(), found.mode & 0o777, found.uid]).toEqual([true, 0o700, data.uid]);
    expect((await lstat(folder.paths.password)).mode & 0o777).toBe(0o600);
  });

  it('is used as a role that is no superuser and cannot become one', async () => {
    const [superuser, createrole, createdb, replication, bypass, memberships] = await query(
      url,
      `SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
         (SELECT count(*)::int FROM pg_auth_members WHERE member = pg_roles.oid)
       FROM pg_roles WHERE rolname = current_user`,
    );
    expect([superuser, createrole, createdb, replication, bypass, memberships]).toEqual([
      ...Array(5).fill(false),
      0,
    ]);
    await expect(query(url, `SET ROLE ${SUPERUSER}`)).rejects.toThrow('permission denied to set role');
  });

  it('does not run programs or access files for that role', async () => {
    const denied = /permission denied|must be superuser/;
    await expect(query(url, "COPY (SELECT 1) TO PROGRAM 'id'")).rejects.toThrow(denied);
    await query(url, 'CREATE TABLE programs (line text)');
    await expect(query(url, "COPY programs FROM PROGRAM 'id'")).rejects.toThrow(denied);
    await expect(query(url, "COPY programs FROM '/etc/passwd'")).rejects.toThrow(denied);
    await expect(query(url, "SELECT pg_read_file('/etc/passwd')")).rejects.toThrow(denied);
    await expect(query(url, "ALTER SYSTEM SET archive_command = 'id'")).rejects.toThrow(denied);
  });

  it('rejects superusers', async () => {
    const asSuperuser = new URL(url);
    asSuperuser.username = SUPERUSER;
    await expect(query(asSuperuser.href, 'SELECT 1')).rejects.toThrow('no pg_hba.conf entry');
  });
});

describe('a data folder', () => {
  it('whose path is too long for a socket has it in a short separate folder, the same at each start', async () => {
    await using folder = await DataFolder.makeUsed({ subfolder: `${'long '.repeat(20)}and "quoted", too` });
    const user = folder.open();
    const url = await user.url();
    const socketFolder = socketFolderOf(url);
    expect(folder.path.length).toBeGreaterThan(90);
    expect(socketFolder.length).toBeLessThan(90);
    expect(await readlink(folder.paths.socket)).toBe(socketFolder);
    const [found, data] = [await lstat(socketFolder), await lstat(folder.paths.data)];
    expect([found.isDirectory(), found.mode & 0o777, found.uid]).toEqual([true, 0o700, data.uid]);
    expect(await query(url, 'SELECT 1')).toEqual([1]);
    await folder.killPostmaster();
    await user.said();
    expect((await user.said()).incident).toMatch(/is back\.$/);
    await user.leave();

    // Simulates a restart of the machine.
    await rm(socketFolder, { recursive: true });
    const next = folder.open();
    expect(await next.url()).toBe(url);
    await next.leave();
    await rm(socketFolder, { recursive: true });
  });

  it('uses only a folder of its own for the socket: no link, and none that other users may enter', async () => {
    await using folder = await DataFolder.makeUsed({ subfolder: 'x'.repeat(100) });
    const first = folder.open();
    const known = socketFolderOf(await first.url());
    await first.leave();
    const elsewhere = join(folder.root, 'elsewhere');
    await mkdir(elsewhere, { mode: 0o700 });
    const taken = [known];
    for (const take of [
      () => symlink(elsewhere, known),
      () => mkdir(known, 0o700).then(() => chmod(known, 0o777)),
    ]) {
      await rm(known, { recursive: true });
      await take();
      const next = folder.open();
      const socketFolder = socketFolderOf(await next.url());
      expect(socketFolder).not.toBe(known);
      expect(basename(socketFolder).slice(0, -6)).toBe(basename(known).slice(0, -6));
      taken.push(socketFolder);
      await next.leave();
      await rm(folder.paths.socket);
      await symlink(known, folder.paths.socket);
    }
    expect(await readdir(elsewhere)).toEqual([]);
    for (const path of taken) await rm(path, { recursive: true, force: true });
  });

  it('with a socket folder that other users may enter is not joined, and is repaired by the next start', async () => {
    await using folder = await DataFolder.makeUsed();
    const user = folder.open();
    await user.url();
    await chmod(folder.paths.socket, 0o755);
    const { error } = await folder.open().said();
    expect(error?.message).toMatch(
      /^The socket of the embedded PostgreSQL is in .*, which is not a folder that/,
    );
    await user.leave();
    await folder.useOnce();
    expect((await lstat(folder.paths.socket)).mode & 0o777).toBe(0o700);
  });

  it('that was copied has its own server, even if its path is too long for a socket', async () => {
    await using folder = await DataFolder.makeUsed({ subfolder: 'y'.repeat(100) });
    const user = folder.open();
    await user.leave();
    await using copy = await DataFolder.make({ subfolder: 'z'.repeat(100) });
    await run('cp', ['-a', `${folder.path}/.`, copy.path]);
    const [original, copied] = [folder.open(), copy.open()];
    const urls = [await original.url(), await copied.url()] as const;
    expect(socketFolderOf(urls[0])).not.toBe(socketFolderOf(urls[1]));
    await query(urls[0], 'CREATE TABLE only_here ()');
    expect(await query(urls[1], "SELECT to_regclass('only_here')")).toEqual([null]);
    await Promise.all([original.leave(), copied.leave()]);
    for (const url of urls) await rm(socketFolderOf(url), { recursive: true });
  });
});
