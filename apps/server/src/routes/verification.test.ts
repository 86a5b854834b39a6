import { removeServiceScope, updateService } from '@gatehouse/domain/services';
import { apiToken, OPERATOR, revoke, signInToken, unwrap } from '@gatehouse/domain/testing';
import { sendRaw } from '@gatehouse/front/testing';
import { expect, test, vi } from 'vitest';
import { call, problemOf } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const VERIFY = '/api/v1/verify';
const REALM = 'Bearer realm="gatehouse"';

const serveOrders = () => startTestServer({ given: async ({ orders }) => ({ given: await orders() }) });

const gatewayHeaders = ({ headers }: { readonly headers: Headers }) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-gatehouse-')));

test.each(['GET', 'HEAD'])(
  'a token with the scope is answered by headers for the service: %s',
  async (method) => {
    await using scene = await serveOrders();
    const { admin, account } = scene.people;
    const { token } = scene.given;
    const reply = await scene.get(`${VERIFY}?scope=orders:read`, { token: token.secret, method });
    expect([reply.status, reply.text, reply.headers.get('cache-control')]).toEqual([204, '', 'no-store']);
    expect(reply.headers.get('x-token-expires-at')).toBe('2026-01-01T00:01:00.000Z');
    expect(gatewayHeaders(reply)).toEqual({
      'x-gatehouse-user': String(admin.id),
      'x-gatehouse-account': String(account.id),
      'x-gatehouse-role': 'admin',
      'x-gatehouse-token': token.record.id,
      'x-gatehouse-scopes': 'orders:read',
    });
  },
);

test.each(['GET', 'HEAD', 'OPTIONS', 'POST'])('without a token no method is a yes: %s', async (method) => {
  await using scene = await serveOrders();
  const reply = await call(scene.url, `${VERIFY}?scope=orders:read`, { method });
  expect(gatewayHeaders(reply)).toEqual({});
  // OPTIONS lists the methods of every path without a token, so gateways must ask with GET.
  expect(reply.status).toBe({ OPTIONS: 204, POST: 405 }[method] ?? 401);
});

test('the scopes are all scopes that the token has at the service, and no others', async () => {
  await using scene = await serveOrders();
  const { secret } = await apiToken(scene.world, scene.people.admin, { scopes: ['me:read', 'orders:*'] });
  const reply = await scene.get(`${VERIFY}?scope=orders%3Awrite`, { token: secret });
  expect(gatewayHeaders(reply)).toMatchObject({ 'x-gatehouse-scopes': 'orders:read orders:write' });
});

test('a token that lacks the scope is refused as RFC 6750 says, whatever the reason', async () => {
  await using scene = await serveOrders();
  const { world, people, given } = scene;
  const refused = vi.spyOn(world.usage, 'refused');
  const used = vi.spyOn(world.usage, 'used');
  const refusalOf = async (scope: string, token: string) => {
    const reply = await scene.get(`${VERIFY}?scope=${scope}`, { token });
    expect(gatewayHeaders(reply)).toEqual({});
    return [...problemOf(reply), reply.headers.get('www-authenticate')];
  };
  const lacks = (scope: string) => [
    ...[403, 'insufficient-scope'],
    `${REALM}, error="insufficient_scope", scope="${scope}"`,
  ];
  const { secret, record } = given.token;
  for (const scope of ['orders:write', 'orders:nothing', 'bills:read', 'me:read'])
    expect(await refusalOf(scope, secret)).toEqual(lacks(scope));
  expect(refused).toHaveBeenLastCalledWith(record.id, world.clock.now(), 'insufficient_scope', '127.0.0.1');
  for (const token of [await scene.adminToken(), await signInToken(world, people.member)])
    expect(await refusalOf('orders:read', token)).toEqual(lacks('orders:read'));
  unwrap(await updateService(world)(OPERATOR, { name: given.service, openTo: { only: [] } }));
  expect(await refusalOf('orders:read', secret)).toEqual(lacks('orders:read'));
  unwrap(await updateService(world)(OPERATOR, { name: given.service, openTo: 'all' }));
  unwrap(await removeServiceScope(world)(OPERATOR, 'orders:read'));
  expect(await refusalOf('orders:read', secret)).toEqual(lacks('orders:read'));
  expect(used).not.toHaveBeenCalled();
});

test('a token that is not accepted is refused before the query is read', async () => {
  await using scene = await serveOrders();
  const { world, people, given } = scene;
  await revoke(world, people.admin, given.token.record.id);
  for (const query of ['?scope=orders:read', '', '?scope=x']) {
    for (const token of ['x', given.token.secret, given.secret]) {
      const reply = await scene.get(`${VERIFY}${query}`, { token });
      expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([
        401,
        `${REALM}, error="invalid_token"`,
      ]);
    }
    const [none] = await sendRaw(
      scene.url,
      `GET ${VERIFY}${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect([none?.status, none?.headers.get('www-authenticate')]).toEqual([401, REALM]);
  }
});

test.each([
  ['', 'is required'],
  ['?', 'is required'],
  ['?Scope=orders:read', 'is required'],
  ['?scope', 'must be one scope of a service, such as orders:read'],
  ['?scope=*', 'must be one scope of a service, such as orders:read'],
  ['?scope=orders:*', 'must be one scope of a service, such as orders:read'],
  ['?scope=orders:read%20orders:write', 'must be one scope of a service, such as orders:read'],
  ['?scope=orders:read"', 'must be one scope of a service, such as orders:read'],
  ['?scope=orders:read&scope=orders:read', 'must be given once'],
  ['?scope=%ff', 'must be percent-encoded UTF-8'],
])('a query without one scope is 400, and names the error: %s', async (query, message) => {
  await using scene = await serveOrders();
  const reply = await scene.get(`${VERIFY}${query}`, { token: scene.given.token.secret });
  expect(problemOf(reply)).toEqual([400, 'malformed-query']);
  expect(reply.json).toMatchObject({ errors: [{ field: 'scope', message }] });
});

test('a use through a gateway is recorded once, at the service; a use of another route, at none', async () => {
  await using scene = await serveOrders();
  const used = vi.spyOn(scene.world.usage, 'used');
  const { token, service } = scene.given;
  const now = scene.world.clock.now();
  await scene.get(`${VERIFY}?scope=orders:read`, { token: token.secret });
  const from = '127.0.0.1';
  expect(used.mock.calls).toEqual([[token.record.id, now, from, { name: service, from }]]);
  await scene.get('/api/v1/me.json', { token: token.secret });
  expect(used.mock.calls.slice(1)).toEqual([[token.record.id, now, from]]);
});
