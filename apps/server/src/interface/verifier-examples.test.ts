import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { unwrap } from '@gatehouse/domain/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createOrders } from '../../testing/create-orders.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const EXAMPLES = fileURLToPath(new URL('../../../../packages/verifier/examples', import.meta.url));

let gatehouse: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  gatehouse = await start();
});
afterAll(() => gatehouse.server[Symbol.asyncDispose]());

async function start() {
  const server = await startTestServer({ database: 'postgres' });
  const { useCases } = server.container.services;
  return { server, useCases, ...(await createOrders(useCases, 'paseto')) };
}

/** Makes a program print the port at which it listens. */
const TELL_PORT = `data:text/javascript,${encodeURIComponent(`import { Server } from 'node:net';
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  return listen.apply(this.once('listening', () => console.log('PORT', this.address().port)), args);
};`)}`;

/** Starts an example as a process of its own. */
async function startExample(file: string) {
  const service = spawn(process.execPath, ['--no-warnings', '--import', TELL_PORT, join(EXAMPLES, file)], {
    env: { GATEHOUSE_URL: gatehouse.server.url, GATEHOUSE_CREDENTIAL: gatehouse.credential, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  let port: string | undefined;
  for await (const line of createInterface(service.stdout)) {
    port = /^PORT (\d+)$/.exec(line)?.[1];
    if (port) break;
  }
  const url = `http://localhost:${port}/orders`;
  return {
    ask: (token: string | undefined, method = 'GET') =>
      fetch(url, { method, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }),
    async stop() {
      service.kill('SIGTERM');
      const [code] = await once(service, 'exit');
      return code;
    },
  };
}

const files = globSync('*.ts', { cwd: EXAMPLES }).toSorted();

test('there is an example for each framework', () => {
  expect(files).toEqual(['express.ts', 'fastify.ts', 'h3.ts', 'hono.ts', 'orders.ts']);
});

test.each(files)(
  'the example %s accepts a token for its scopes, until the token is revoked',
  async (file) => {
    const { useCases, admin, issue } = gatehouse;
    const { ask, stop } = await startExample(file);
    const token = await issue(basename(file, '.ts'));

    const accepted = await ask(token.secret);
    expect([accepted.status, await accepted.json()]).toEqual([200, []]);
    const forbidden = await ask(token.secret, 'POST');
    expect(forbidden.status).toBe(403);
    expect(forbidden.headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_scope".*scope="orders:write"$/,
    );
    const withoutToken = await ask(undefined);
    expect([withoutToken.status, withoutToken.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await ask(`${token.secret}x`)).status).toBe(401);
    const writer = await issue(`Writer of ${file}`, ['orders:read', 'orders:write']);
    expect((await ask(writer.secret, 'POST')).ok).toBe(true);
    expect(await (await ask(token.secret)).json()).toMatchObject([{ id: 1, item: 'a book' }]);

    unwrap(await useCases.revokeToken(admin, { id: token.record.id, reason: null }));
    await expect.poll(async () => (await ask(token.secret)).status).toBe(401);
    expect((await ask(writer.secret)).status).toBe(200);
    expect(await stop()).toBe(0);
  },
);
