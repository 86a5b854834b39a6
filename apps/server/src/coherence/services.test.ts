import { removeServiceScope, revokeServiceCredential } from '@gatehouse/domain/services';
import { unwrap } from '@gatehouse/domain/testing';
import { CATALOG } from '@gatehouse/extensions';
import { createCredentialSecrets } from '@gatehouse/installation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../../testing/client.ts';
import { STALENESS } from '../../testing/customers.ts';
import { givenOrders } from '../../testing/given-orders.ts';
import { introspect } from '../../testing/introspect.ts';
import { issue } from '../../testing/issue.ts';
import { type DemoServer, OPERATOR } from '../../testing/postgres-server.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const VERIFY = '/api/v1/verify?scope=orders:read';

function serveOrders() {
  return startTestServer({
    database: 'postgres',
    // Cached data must not expire because this machine is busy.
    settings: { MAX_STALENESS_MS: '60000' },
    async given(server: DemoServer) {
      const { clock, repositories } = server.container.services;
      const ports = {
        ...repositories,
        clock,
        catalog: CATALOG,
        credentialSecrets: createCredentialSecrets(),
      };
      const orders = await givenOrders(ports);
      const token = (await issue(server, { scopes: ['*', 'orders:read'] })).secret;
      return { ports, orders, token };
    },
  });
}

let server: Awaited<ReturnType<typeof serveOrders>>;

beforeAll(async () => {
  server = await serveOrders();
});
afterAll(() => server[Symbol.asyncDispose]());

const verify = (url: string) => call(url, VERIFY, { token: server.token });
const ask = (url: string, token: string) => introspect(url, `Bearer ${server.orders.secret}`, { token });

/** Returns the number of statements for 20 requests. The recording of uses may add a few. */
async function statementsFor(request: () => Promise<unknown>) {
  await request();
  const before = server.statements();
  for (let turn = 0; turn < 20; turn += 1) await request();
  return server.statements() - before;
}

const NONE = 8;

test('each introspection makes one statement, that of a token with a wrong signature makes none', async () => {
  const active = async () =>
    expect((await ask(server.url, server.token)).json).toMatchObject({ active: true });
  const made = await statementsFor(active);
  expect(made).toBeGreaterThanOrEqual(20);
  expect(made).toBeLessThan(20 + NONE);
  const forged = `${server.token.slice(0, -6)}AAAAAA`;
  const inactive = async () => expect((await ask(server.url, forged)).json).toEqual({ active: false });
  expect(await statementsFor(inactive)).toBeLessThan(NONE);
});

test('a gateway is answered from memory', async () => {
  const accepted = async () => expect((await verify(server.url)).status).toBe(204);
  expect(await statementsFor(accepted)).toBeLessThan(NONE);
});

test('every server hears of a removed scope and of a revoked credential within a second', async () => {
  await using other = await startTestServer({ database: server.database });
  for (const { url } of [server, other]) {
    expect((await verify(url)).status).toBe(204);
    expect((await ask(url, server.token)).json).toMatchObject({ active: true, scope: 'orders:read' });
  }
  unwrap(await removeServiceScope(server.ports)(OPERATOR, 'orders:read'));
  // An introspection reads after its request arrived, so there is nothing to wait for.
  for (const { url } of [server, other])
    expect((await ask(url, server.token)).json).toEqual({ active: false });
  const statuses = () => Promise.all([server, other].map(async ({ url }) => (await verify(url)).status));
  await expect.poll(statuses, STALENESS).toEqual([403, 403]);

  const { service, credential } = server.orders;
  unwrap(await revokeServiceCredential(server.ports)(OPERATOR, { service, id: credential.id }));
  for (const { url } of [server, other]) expect((await ask(url, server.token)).status).toBe(401);
  const forged = () => Promise.all([server, other].map(async ({ url }) => (await ask(url, 'x')).status));
  await expect.poll(forged, STALENESS).toEqual([401, 401]);
});
