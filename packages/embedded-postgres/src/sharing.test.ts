import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DataFolder, query } from '../testing/data-folder.ts';
import { joinEmbeddedPostgres } from './open-embedded-postgres.ts';

describe('the first start', () => {
  it('gives two concurrent processes the same server, and leaves nothing behind', async () => {
    await using folder = await DataFolder.make();
    const [one, other] = [folder.open(), folder.open()];
    const urls = await Promise.all([one.url(), other.url()]);
    expect(urls[0]).toBe(urls[1]);
    expect(await Promise.all([one.leave(), other.leave()])).toEqual([0, 0]);
    expect(await folder.postmaster()).toBeUndefined();
    expect(await readdir(folder.path)).toEqual(['postgres']);
  });

  it('creates a UTF-8 database with a fixed collation', async () => {
    await using folder = await DataFolder.make();
    const user = folder.open();
    const facts = await query(
      await user.url(),
      `SELECT current_setting('server_encoding'), datlocprovider, datlocale, current_setting('TimeZone')
       FROM pg_database WHERE datname = current_database()`,
    );
    expect(facts).toEqual(['UTF8', 'b', 'C.UTF-8', 'UTC']);
    await user.leave();
  });
});

describe('starting and leaving', () => {
  it('keeps the server until the last process leaves, in any order, and the data and the address after that', async () => {
    await using folder = await DataFolder.makeUsed();
    const urls = new Set<string>();
    for (const first of ['starter', 'joiner', 'both'] as const) {
      const starter = folder.open();
      urls.add(await starter.url());
      const server = await folder.postmaster();
      const joiner = folder.open();
      const url = await joiner.url();
      urls.add(url);
      await query(url, 'CREATE TABLE IF NOT EXISTS rounds (first text)');
      await query(url, `INSERT INTO rounds VALUES ('${first}')`);
      if (first === 'both') {
        await Promise.all([starter.leave(), joiner.leave()]);
      } else {
        await (first === 'starter' ? starter : joiner).leave();
        expect(await folder.postmaster()).toBe(server);
        await (first === 'starter' ? joiner : starter).leave();
      }
      expect(await folder.postmaster()).toBeUndefined();
    }
    expect(urls.size).toBe(1);
    const user = folder.open();
    expect(await query(await user.url(), 'SELECT count(*)::int FROM rounds')).toEqual([3]);
    await user.leave();
  });

  it('serves a process that joins while the last one leaves', async () => {
    await using folder = await DataFolder.makeUsed();
    let staying = folder.open();
    await staying.url();
    for (let round = 0; round < 8; round += 1) {
      const coming = folder.open();
      const left = staying.leave();
      expect(await query(await coming.url(), 'SELECT 1')).toEqual([1]);
      expect(await left).toBe(0);
      staying = coming;
    }
    await staying.leave();
    expect(await folder.postmaster()).toBeUndefined();
  });

  it('serves a process that only joins, but is not started for it', async () => {
    await using folder = await DataFolder.makeUsed();
    const user = folder.open();
    await user.url();
    await using joined = await joinEmbeddedPostgres({ dataDir: folder.path });
    expect(await query(joined?.url ?? '', 'SELECT 1')).toEqual([1]);
    await joined?.close();
    expect(await folder.postmaster()).toBeDefined();
    await user.leave();
    expect(await joinEmbeddedPostgres({ dataDir: folder.path })).toBeUndefined();
    expect(await folder.postmaster()).toBeUndefined();
  });
});
