import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DataFolder, query } from '../testing/data-folder.ts';
import { socketIn } from './socket-folder.ts';

describe('a killed process', () => {
  it('leaves a server running that the next process joins and later stops', async () => {
    await using folder = await DataFolder.makeUsed();
    const killed = folder.open();
    const url = await killed.url();
    const server = await folder.postmaster();
    await killed.kill();
    expect(await folder.postmaster()).toBe(server);

    const next = folder.open();
    expect(await next.url()).toBe(url);
    expect(await folder.postmaster()).toBe(server);
    expect(await next.leave()).toBe(0);
    expect(await folder.postmaster()).toBeUndefined();
  });

  it('does not stop the server when Ctrl-C reaches its whole process group', async () => {
    await using folder = await DataFolder.makeUsed();
    const user = folder.open({ detached: true });
    await user.url();
    const server = await folder.postmaster();
    process.kill(-Number(user.process.pid), 'SIGINT');
    expect(await user.ended()).toEqual([null, 'SIGINT']);
    expect(await folder.postmaster()).toBe(server);
  });
});

it('removes the remains of a killed first start, but not those of a running one', async () => {
  await using folder = await DataFolder.makeUsed();
  await folder.open().leave();
  const [abandoned, live] = [`${folder.paths.folder}.new-old`, `${folder.paths.folder}.new-now`];
  for (const path of [abandoned, live]) {
    await mkdir(path);
    await writeFile(`${path}/password`, 'x');
  }
  const elevenMinutesAgo = Date.now() / 1000 - 11 * 60;
  await utimes(abandoned, elevenMinutesAgo, elevenMinutesAgo);
  const user = folder.open();
  await user.url();
  expect((await readdir(folder.path)).sort()).toEqual(['postgres', 'postgres.new-now']);
  await user.leave();
});

it('removes an unfinished socket folder of a killed start', async () => {
  await using folder = await DataFolder.makeUsed();
  await folder.open().leave();
  const [abandoned, live] = [`${folder.paths.socket}.new-old`, `${folder.paths.socket}.new-now`];
  for (const path of [abandoned, live]) await mkdir(path);
  await utimes(abandoned, 1, 1);
  const user = folder.open();
  await user.url();
  const names = (await readdir(folder.paths.folder)).filter((name) => name.startsWith('socket.'));
  expect(names).toEqual(['socket.new-now']);
  await user.leave();
});

describe('a killed server', () => {
  it('is restarted at the same address while a process uses it', async () => {
    await using folder = await DataFolder.makeUsed();
    const user = folder.open();
    const url = await user.url();
    const killed = await folder.killPostmaster();
    expect((await user.said()).incident).toMatch(/restarting it/);
    expect((await user.said()).incident).toMatch(/is back/);
    expect(await query(url, 'SELECT 1')).toEqual([1]);
    expect(await folder.postmaster()).not.toBe(killed);
    expect(await user.leave()).toBe(0);
    expect(await folder.postmaster()).toBeUndefined();
  });

  it('of which one process is killed stops completely, and is restarted', async () => {
    await using folder = await DataFolder.makeUsed();
    const user = folder.open();
    const url = await user.url();
    const before = await folder.postmaster();
    const membership = "SELECT pid FROM pg_stat_activity WHERE application_name = 'gatehouse membership'";
    process.kill(Number((await query(url, membership))[0]), 'SIGKILL');
    // The dying server may accept the process once more before it notices: then the process reports both again.
    do {
      expect((await user.said()).incident).toMatch(/restarting it/);
      expect((await user.said()).incident).toMatch(/is back/);
    } while ([before, undefined].includes(await folder.postmaster()));
    expect(await query(url, 'SELECT 1')).toEqual([1]);
    expect(await user.leave()).toBe(0);
  });

  it('is restarted once if several processes use it, and all of them are members afterwards', async () => {
    await using folder = await DataFolder.makeUsed();
    const users = [folder.open(), folder.open()];
    const [url = ''] = await Promise.all(users.map((user) => user.url()));
    await folder.killPostmaster();
    for (const user of users) {
      await user.said();
      expect((await user.said()).incident).toMatch(/is back/);
    }
    await users[0]?.leave();
    expect(await query(url, 'SELECT 1')).toEqual([1]);
    await users[1]?.leave();
    expect(await folder.postmaster()).toBeUndefined();
  });

  it('leaves a pid file that does not mislead the next process', async () => {
    await using folder = await DataFolder.makeUsed();
    const user = folder.open();
    await user.url();
    await user.kill();
    await folder.killPostmaster();
    await folder.useOnce();
  });

  it.each([
    ['pid file', ({ paths }: DataFolder) => paths.postmasterFile],
    ['lock file of its socket', ({ paths }: DataFolder) => `${socketIn(paths.socket)}.lock`],
  ])('leaves a %s that does not mislead even if the process id is reused', async (_, fileOf) => {
    await using folder = await DataFolder.makeUsed();
    const user = folder.open();
    await user.url();
    const file = fileOf(folder);
    const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
    await user.kill();
    await folder.killPostmaster();
    const { uid, gid } = await stat(folder.paths.data);
    const unrelated = spawn('sleep', ['60'], { cwd: '/', uid, gid });
    try {
      await writeFile(file, [unrelated.pid, ...rest].join('\n'));
      await folder.useOnce();
    } finally {
      unrelated.kill();
    }
  });
});
