import { inPerson, unwrap } from '@gatehouse/domain/testing';
import { type NetworkMode, setTokenNetworks } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { call, problemOf } from '../../testing/client.ts';
import { introspect } from '../../testing/introspect.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const HERE = '127.0.0.0/8';
const ELSEWHERE = '203.0.113.0/24';

/** Starts a server with the service `orders`, and limits its token to a network. */
async function serveLimited(mode: NetworkMode, network: string) {
  const scene = await startTestServer({ given: async ({ orders }) => ({ given: await orders() }) });
  const { secret, token } = scene.given;
  const { id } = token.record;
  const networks = { mode, list: [network] };
  unwrap(await setTokenNetworks(scene.world)(inPerson(scene.people.admin), { id, networks }));
  return {
    ...scene,
    verify: () => call(scene.url, '/api/v1/verify?scope=orders:read', { token: token.secret }),
    introspected: async (fields: Readonly<Record<string, string>>) =>
      (await introspect(scene.url, `Bearer ${secret}`, { token: token.secret, ...fields })).json,
    usage: async () => scene.world.tokens.findUsage(id),
    reported: async () => (await scene.world.tokens.findUsage(id)).reportedFrom,
  };
}

test('a request from outside of the networks gets 403 on every route, and is recorded and logged as such', async () => {
  await using scene = await serveLimited('enforced', ELSEWHERE);
  for (const path of [
    '/api/v1/me.json',
    '/api/v1/orgs/1',
    '/api/v1/orgs',
    '/api/v1/verify?scope=orders:read',
  ]) {
    const reply = await call(scene.url, path, { token: scene.given.token.secret });
    expect([path, ...problemOf(reply)]).toEqual([path, 403, 'network-not-allowed']);
    expect(reply.headers.get('www-authenticate')).toBe(
      'Bearer realm="gatehouse", error="network_not_allowed"',
    );
  }
  expect((await scene.usage()).refusedFrom).toMatchObject([
    { address: '127.0.0.1', reason: 'network_not_allowed', times: 4 },
  ]);
  expect((await scene.usage()).lastUsedAt).toBeNull();
  expect(scene.entries().at(-1)).toMatchObject({ reason: 'network_not_allowed' });
});

test('a request from one of the networks is answered', async () => {
  await using scene = await serveLimited('enforced', HERE);
  expect((await scene.verify()).status).toBe(204);
});

test('report-only networks let each request pass, and record those from elsewhere', async () => {
  await using scene = await serveLimited('report-only', ELSEWHERE);
  expect((await scene.verify()).status).toBe(204);
  expect(await scene.reported()).toMatchObject([{ address: '127.0.0.1', times: 1 }]);
  expect((await scene.usage()).refusedFrom).toEqual([]);
});

test('a service that declares no conditions cannot accept a token with networks, whatever address it passes', async () => {
  await using scene = await serveLimited('enforced', ELSEWHERE);
  for (const fields of [{}, { client_address: '203.0.113.7' }, { conditions: 'hours' }])
    expect(await scene.introspected(fields)).toEqual({ active: false });
  expect((await scene.usage()).lastRefusal).toMatchObject({ reason: 'network_not_allowed' });
});

test('a service that declares networks is told them, and its refusals are recorded by the address that it passes', async () => {
  await using scene = await serveLimited('enforced', ELSEWHERE);
  const told = {
    active: true,
    gatehouse: { conditions: { networks: { mode: 'enforced', list: [ELSEWHERE] } } },
  };
  const conditions = 'hours networks';
  for (const client_address of ['198.51.100.7', 'unknown']) {
    expect(await scene.introspected({ conditions, client_address })).toMatchObject(told);
    expect(await scene.usage()).toMatchObject({
      lastUsedAt: null,
      lastRefusal: { reason: 'network_not_allowed' },
    });
  }
  expect(await scene.introspected({ conditions, client_address: '203.0.113.7' })).toMatchObject(told);
  expect((await scene.usage()).lastUsedAt).toBe(scene.world.clock.now());
});

test('report-only networks are told only to a service that declares them, and refuse nothing', async () => {
  await using scene = await serveLimited('report-only', ELSEWHERE);
  expect(await scene.introspected({ client_address: '198.51.100.7' })).not.toHaveProperty(
    'gatehouse.conditions',
  );
  expect(await scene.introspected({ conditions: 'networks' })).toMatchObject({
    gatehouse: { conditions: { networks: { mode: 'report-only' } } },
  });
  expect(await scene.reported()).toMatchObject([{ address: '198.51.100.7' }]);
});

test('a refresh has the same conditions as introspection', async () => {
  await using scene = await serveLimited('enforced', ELSEWHERE);
  const { secret, token } = scene.given;
  await scene.introspected({ conditions: 'networks', client_address: '203.0.113.7' });
  await scene.world.usage.flush();
  const refresh = async (conditions?: readonly string[]) =>
    (
      await call(scene.url, '/api/v1/token-refreshes', {
        method: 'POST',
        token: secret,
        body: JSON.stringify({ tokens: [token.record.id], conditions }),
        headers: { 'content-type': 'application/json' },
      })
    ).json;
  expect(await refresh()).toEqual({ tokens: [{ active: false }] });
  expect(await refresh(['networks'])).toMatchObject({
    tokens: [{ active: true, gatehouse: { conditions: { networks: { list: [ELSEWHERE] } } } }],
  });
});
