import { spawn } from 'node:child_process';
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DataFolder, query } from '../testing/data-folder.ts';
import { prepareCluster } from './prepare-cluster.ts';
import { setUp } from './set-up.ts';
import { openSingleUser } from './single-user.ts';

/** Kills it like a power cut. */
async function writeOld(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await utimes(path, 1, 1);
}

describe('a postmaster.pid', () => {
  it.each([
    ['is empty', ''],
    ['is not text', '\0\0\0\0\0\0\0\0'],
    ['names no process', 'not a process\n\n'],
    ['names the process zero', '0\n/\n1\n5432\n\n\n\n\n'],
  ])('that %s does not keep a server from starting', async (_, text) => {
    await using folder = await DataFolder.makeUsed();
    await writeOld(folder.paths.postmasterFile, text);
    await folder.useOnce();
  });

  it('that names another program does not, even if the data folder is on its command line', async () => {
    await using folder = await DataFolder.makeUsed();
    const { uid, gid } = await stat(folder.paths.data);
    const file = join(folder.paths.data, 'PG_VERSION');
    const reader = spawn('tail', ['-f', file], { uid, gid, cwd: '/', stdio: 'ignore' });
    const impostor = spawn('sleep', ['60'], {
      argv0: '/usr/bin/postgres',
      uid,
      gid,
      cwd: '/',
      stdio: 'ignore',
    });
    try {
      for (const { pid } of [reader, impostor]) {
        await writeOld(folder.paths.postmasterFile, `${pid}\n${folder.paths.data}\n1\n5432\n\n\n\nready\n`);
        await folder.useOnce();
      }
    } finally {
      reader.kill();
      impostor.kill();
    }
  });

  it('that is damaged while its server runs does not hide the server: no second one is started', async () => {
    await using folder = await DataFolder.makeUsed();
    const user = folder.open();
    const url = await user.url();
    const server = await folder.postmaster();
    await writeOld(folder.paths.postmasterFile, 'not a process\n');
    const other = folder.open();
    expect(await other.url()).toBe(url);
    expect(await folder.postmaster()).toBe(server);
    await other.leave();
    await user.leave();
  });
});

describe('a password file', () => {
  it('with a wrong password is reported at once, and no server is left running; a missing one is replaced', async () => {
    await using folder = await DataFolder.makeUsed();
    await writeFile(folder.paths.password, 'something else', { mode: 0o600 });
    const user = folder.open();
    const { error } = await user.said();
    expect(error?.message).toMatch(
      /^The embedded PostgreSQL does not accept the password in .*app-password: /,
    );
    expect(await user.ended()).toEqual([1, null]);
    expect(await folder.postmaster()).toBeUndefined();
    // The start did not retry.
    const tried = (await readFile(folder.paths.log, 'utf8')).match(/password authentication failed/g);
    expect(tried).toHaveLength(1);

    await rm(folder.paths.password);
    await folder.useOnce();
  });

  it('with a wrong password leaves a server running that other processes use', async () => {
    await using folder = await DataFolder.makeUsed();
    const user = folder.open();
    const url = await user.url();
    const password = await readFile(folder.paths.password);
    await writeFile(folder.paths.password, 'something else');
    expect((await folder.open().said()).error?.message).toMatch(/does not accept the password/);
    await rm(folder.paths.password);
    expect((await folder.open().said()).error?.message).toMatch(/^There is no password in /);
    expect(await query(url, 'SELECT 1')).toEqual([1]);
    await writeFile(folder.paths.password, password, { mode: 0o600 });
    await user.leave();
  });

  it('that is empty is created again', async () => {
    await using folder = await DataFolder.makeUsed();
    await writeFile(folder.paths.password, '');
    await folder.useOnce();
  });
});

describe('setting up', () => {
  it('is repeated after an interruption, and done once by concurrent processes', async () => {
    await using folder = await DataFolder.makeUsed();
    await rm(folder.paths.password);
    const users = Array.from({ length: 4 }, () => folder.open());
    const urls = await Promise.all(users.map((user) => user.url()));
    expect(new Set(urls).size).toBe(1);
    await Promise.all(users.map((user) => user.leave()));
  });

  it('waits for the process that uses the cluster', async () => {
    await using folder = await DataFolder.makeUsed();
    const cluster = await prepareCluster(folder.path, { fsync: 'off' });
    await using session = await openSingleUser(cluster);
    expect(session).toBeDefined();
    expect(await setUp(cluster)).toBe('occupied');
  });
});
