import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { openHostileServer, type Trick } from '@gatehouse/test-database';
import { describe, expect, it } from 'vitest';
import { DataFolder, query } from '../testing/data-folder.ts';

const TRICKS: readonly Trick[] = [
  'asks for clear text',
  'asks for MD5',
  'asks for nothing',
  'proves nothing',
];

/** The address of the URL's server: a socket, or a port in older versions. */
function addressOf(url: string): string | number {
  const { hostname, port } = new URL(url);
  const host = decodeURIComponent(hostname);
  return host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : Number(port);
}

/** The URL's password. */
const passwordIn = (url: string) => new URL(url).password;

describe('a program that takes over the address of a crashed server', () => {
  it('learns nothing from processes that use the data folder, which restart their server', async () => {
    await using folder = await DataFolder.makeUsed();
    const user = folder.open();
    const url = await user.url();
    const address = addressOf(url);
    user.process.kill('SIGSTOP');
    await folder.killPostmaster();
    if (typeof address === 'string') await rm(address);
    await using hostile = await openHostileServer('asks for clear text', address);
    user.process.kill('SIGCONT');
    // A socket in our own folder can be taken back; a port could not.
    const { promise: asked, resolve } = Promise.withResolvers<unknown>();
    const timer = setInterval(() => hostile.connections() > 0 && resolve('it was asked'), 20);
    const said = (async () => {
      await user.said();
      return (await user.said()).incident;
    })();
    const outcome = await Promise.race([asked, said]);
    clearInterval(timer);
    expect(hostile.told()).not.toContain(passwordIn(url));
    expect(outcome).toMatch(/is back\.$/);
    expect(await query(url, 'SELECT 1')).toEqual([1]);
    await user.leave();
  });

  it.each(TRICKS)(
    'and %s learns nothing from a joining process, which reports why it fails',
    async (trick) => {
      await using folder = await DataFolder.makeUsed();
      const user = folder.open();
      const url = await user.url();
      const address = addressOf(url);
      const server = (await folder.postmaster()) as number;
      // The server appears to run, but it accepts nothing and another program has its socket.
      process.kill(server, 'SIGSTOP');
      if (typeof address === 'string') await rm(address);
      await using hostile = await openHostileServer(trick, address);
      const { error } = await folder.open().said();
      expect(hostile.connections()).toBeGreaterThan(0);
      expect(hostile.told()).not.toContain(passwordIn(url));
      expect(hostile.told()).not.toContain('md5');
      expect(error?.message).toMatch(
        /^The embedded PostgreSQL did not authenticate as expected \(the server /,
      );
      process.kill(server, 'SIGCONT');
      user.process.kill('SIGKILL');
      await once(user.process, 'exit').catch(() => undefined);
    },
  );
});
