import { rm } from 'node:fs/promises';
import { openHostileServer } from '@gatehouse/test-database';
import { describe, expect, it } from 'vitest';
import { DataFolder, query } from '../testing/data-folder.ts';
import { socketIn } from './socket-folder.ts';

/** The URL's password. */
const passwordIn = (url: string) => new URL(url).password;

const socketOf = ({ paths }: DataFolder) => socketIn(paths.socket);

describe('a program that takes over the address of a crashed server', () => {
  it('learns nothing from processes that use the data folder, which restart their server', async () => {
    await using folder = await DataFolder.makeUsed();
    const user = folder.open();
    const url = await user.url();
    user.process.kill('SIGSTOP');
    await folder.killPostmaster();
    await rm(socketOf(folder));
    await using hostile = await openHostileServer('asks for clear text', socketOf(folder));
    user.process.kill('SIGCONT');
    // A socket in our own folder can be taken back.
    await user.said();
    expect((await user.said()).incident).toMatch(/is back\.$/);
    expect(hostile.told()).not.toContain(passwordIn(url));
    expect(await query(url, 'SELECT 1')).toEqual([1]);
    await user.leave();
  });

  it.each(['asks for clear text', 'proves nothing'] as const)(
    'and %s learns nothing from a joining process, which reports why it fails',
    async (trick) => {
      await using folder = await DataFolder.makeUsed();
      const user = folder.open();
      const url = await user.url();
      const server = (await folder.postmaster()) as number;
      // The server appears to run, but it accepts nothing and another program has its socket.
      process.kill(server, 'SIGSTOP');
      await rm(socketOf(folder));
      await using hostile = await openHostileServer(trick, socketOf(folder));
      const { error } = await folder.open().said();
      expect(hostile.connections()).toBeGreaterThan(0);
      expect(hostile.told()).not.toContain(passwordIn(url));
      expect(hostile.told()).not.toContain('md5');
      expect(error?.message).toMatch(
        /^The embedded PostgreSQL did not authenticate as expected \(the server /,
      );
      process.kill(server, 'SIGCONT');
    },
  );
});
