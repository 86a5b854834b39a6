import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openHostileServer } from '@gatehouse/test-database';
import { expect, it } from 'vitest';
import { call } from '../../testing/client.ts';
import { postmasterFile } from '../../testing/data-folder.ts';
import { serveDataFolder } from '../../testing/spawn-server.ts';

/** Long enough for the pool, the change feed and the membership of the data folder to connect again. */
const TEMPTED_MS = 3_000;

it('a running server does not send the password to a program that takes the database’s address after a crash', async () => {
  await using server = await serveDataFolder();
  const { url, path } = server;
  const [pid, , , port, socketFolder] = (await readFile(postmasterFile(path), 'utf8')).split('\n');
  const password = await readFile(join(path, 'postgres', 'app-password'), 'utf8');
  // Before there was a socket, this was a port of the loopback interface.
  const address = socketFolder ? join(socketFolder, `.s.PGSQL.${port}`) : Number(port);

  server.process.kill('SIGSTOP');
  process.kill(Number(pid), 'SIGKILL');
  if (typeof address === 'string') await rm(address);
  await using hostile = await bound(address);
  server.process.kill('SIGCONT');
  await delay(TEMPTED_MS);

  expect(hostile.told()).not.toContain(password);
  await expect
    .poll(async () => (await call(server.opsUrl(), '/ready')).status, { timeout: 20_000 })
    .toBe(200);
  expect((await call(url, '/.well-known/jwks.json')).status).toBe(200);
});

/** The one that crashed has the port for a moment longer. */
async function bound(address: string | number) {
  for (;;) {
    const hostile = await openHostileServer('asks for clear text', address).catch(() => delay(10));
    if (hostile) return hostile;
  }
}
