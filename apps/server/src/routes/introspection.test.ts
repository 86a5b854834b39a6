import {
  authenticateService,
  deleteService,
  introspectToken,
  removeServiceScope,
  revokeServiceCredential,
  updateService,
} from '@gatehouse/domain/services';
import {
  anEvent,
  apiToken,
  DATABASE,
  fakePayloadOf,
  fakeToken,
  OPERATOR,
  revoke,
  signInToken,
  suspend,
  unwrap,
  type World,
} from '@gatehouse/domain/testing';
import type { TokenId } from '@gatehouse/domain/tokens';
import { expect, test, vi } from 'vitest';
import { call, FORM, problemOf } from '../../testing/client.ts';
import { basic, INTROSPECT, introspect } from '../../testing/introspect.ts';
import { startTestServer } from '../../testing/start-test-server.ts';
import type { AppPorts } from '../app.ts';

/** Starts a server with the service `orders`, which counts the reads of introspections. */
async function serveOrders(replaced: (world: World) => Partial<AppPorts> = () => ({})) {
  const find = vi.fn<World['introspection']['find']>();
  const scene = await startTestServer({
    ports(world) {
      find.mockImplementation(world.introspection.find);
      return {
        introspectToken: introspectToken({ ...world, introspection: { ...world.introspection, find } }),
        ...replaced(world),
      };
    },
    given: async ({ orders }) => ({ given: await orders() }),
  });
  const ask = (fields: Readonly<Record<string, string>>, headers = {}) =>
    introspect(scene.url, `Bearer ${scene.given.secret}`, fields, headers);
  return { ...scene, find, ask };
}

test('an active token is described by exactly the members of RFC 7662, and ours in one of its own', async () => {
  await using scene = await serveOrders();
  const { admin, account } = scene.people;
  const { secret, record } = scene.given.token;
  const { status, headers, json } = await scene.ask({ token: secret, token_type_hint: 'refresh_token' });
  expect([status, headers.get('cache-control'), headers.get('x-token-expires-at')]).toEqual([
    200,
    'no-store',
    null,
  ]);
  expect(json).toEqual({
    active: true,
    scope: 'orders:read',
    sub: String(admin.id),
    client_id: record.id,
    jti: record.id,
    iss: 'gatehouse',
    aud: 'gatehouse-api',
    iat: 1_767_225_600,
    exp: 1_767_225_660,
    token_type: 'Bearer',
    username: admin.email,
    gatehouse: { account: account.id, user: admin.id, role: 'admin', kind: 'api', name: record.name },
  });
});

test('a service that follows changes is also told on which records of which database server the answer depends', async () => {
  await using scene = await serveOrders();
  const { secret } = scene.given.token;
  const { json: plain } = await scene.ask({ token: secret, depends: 'yes' });
  const { json } = await scene.ask({ token: secret, depends: '1' });
  const { gatehouse, ...members } = json as { gatehouse: { depends: { kind: string }[]; database: string } };
  const { depends, database, ...rest } = gatehouse;
  expect({ ...members, gatehouse: rest }).toEqual(plain);
  expect(depends.map(({ kind }) => kind)).toEqual(['token', 'user', 'account', 'key', 'service']);
  expect(database).toBe(DATABASE);
  expect(await scene.ask({ token: 'unknown', depends: '1' })).toMatchObject({ json: { active: false } });
});

test('a token that never expires has no `exp`, and all scopes are those of today', async () => {
  await using scene = await serveOrders();
  const { secret } = await apiToken(scene.world, scene.people.admin, { scopes: ['orders:*'] });
  const { json } = await scene.ask({ token: secret });
  expect(json).toMatchObject({ active: true, scope: 'orders:read orders:write' });
  expect(json).not.toHaveProperty('exp');
});

test('the service may send its name and its credential by HTTP Basic', async () => {
  await using scene = await serveOrders();
  const { secret, token } = scene.given;
  const fields = { token: token.secret };
  expect((await introspect(scene.url, basic('orders', secret), fields)).json).toMatchObject({ active: true });
  const other = await introspect(scene.url, basic('bills', secret), fields);
  expect(problemOf(other)).toEqual([401, 'service-credential-not-accepted']);
});

test('a token that is not active is answered by the same bytes for every reason, after one read of the records', async () => {
  await using scene = await serveOrders();
  const { world, people, given } = scene;
  const { admin } = people;
  const issued = async (parts = {}) => apiToken(world, admin, { scopes: ['orders:read'], ...parts });
  const secretOf = async (after: (id: TokenId) => unknown = () => undefined) => {
    const { secret, record } = await issued();
    await after(record.id);
    return secret;
  };
  const key = (await world.keys.find(given.token.record.keyId)) ?? expect.fail('no key');
  const unknown = JSON.parse(fakePayloadOf(given.token.secret));
  const payload = Buffer.from(JSON.stringify({ ...unknown, jti: '01999999-0000-7000-8000-000000000000' }));
  const expiring = await issued({ expiry: { in: 1000 } });
  const reasons: Readonly<Record<string, string>> = {
    'without a record': fakeToken('paseto', payload, key),
    revoked: await secretOf((id) => revoke(world, admin, id)),
    expired: expiring.secret,
    'without a scope of a service': (await issued({ scopes: ['*'] })).secret,
    'of a sign-in': await signInToken(world, people.member),
  };
  world.clock.advance(1000);
  const answers = new Set<string>();
  const expectInactive = async (reason: string, token: string, reads = 1) => {
    scene.find.mockClear();
    const { status, headers, text } = await scene.ask({ token }, { 'x-request-id': 'same' });
    answers.add(JSON.stringify([status, [...headers].filter(([name]) => name !== 'date'), text]));
    expect([reason, scene.find.mock.calls.length]).toEqual([reason, reads]);
  };
  for (const [reason, token] of Object.entries(reasons)) await expectInactive(reason, token);

  const good = await secretOf();
  unwrap(await updateService(world)(OPERATOR, { name: given.service, openTo: { only: [] } }));
  await expectInactive('of an account to which the service is not open', good);
  unwrap(await updateService(world)(OPERATOR, { name: given.service, openTo: 'all' }));
  unwrap(await removeServiceScope(world)(OPERATOR, 'orders:read'));
  await expectInactive('with a scope that was removed', good);
  const every = (await issued({ scopes: ['orders:*'] })).secret;
  expect((await scene.ask({ token: every })).json).toMatchObject({ active: true });
  await suspend(world, people.account);
  await expectInactive('of a suspended account', every);
  await world.accounts.resume(people.account.id, anEvent());
  expect((await scene.ask({ token: every })).json).toMatchObject({ active: true });

  // A text without a valid signature causes no read.
  for (const token of ['garbage', `${good}x`, good.slice(0, -1), given.secret])
    await expectInactive('not signed', token, 0);
  expect([...answers]).toEqual([expect.stringContaining('"{\\"active\\":false}"]')]);
  expect([...answers][0]).toMatch(/^\[200,.*\["cache-control","no-store"\]/);
});

test('a use is recorded at the service, from the address that the service names, if it is one', async () => {
  await using scene = await serveOrders();
  const { token, service, credential } = scene.given;
  const used = vi.spyOn(scene.world.usage, 'used');
  for (const [client_address, from] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['localhost', undefined],
    ['', undefined],
    ['203.0.113.7, 10.0.0.1', undefined],
  ] as const) {
    await scene.ask({ token: token.secret, client_address });
    expect(used).toHaveBeenLastCalledWith(token.record.id, expect.any(Number), undefined, {
      name: service,
      from,
    });
  }
  await scene.ask({ token: token.secret });
  expect(used).toHaveBeenLastCalledWith(token.record.id, expect.any(Number), undefined, { name: service });
  const uses = await scene.world.services.findCredentialUses([credential.id]);
  expect(uses.get(credential.id)).toBe(scene.world.clock.now());
});

test('a caller whose credential is not accepted is told both schemes, and nothing about a token', async () => {
  await using scene = await serveOrders();
  const { secret, service, credential, token } = scene.given;
  const fields = { token: token.secret };
  const bearer = 'Bearer realm="gatehouse"';
  const offered = 'Basic realm="gatehouse", charset="UTF-8"';
  const challengeFor = async (authorization?: string) => {
    const { status, headers, json } = await introspect(scene.url, authorization, fields);
    return [status, headers.get('www-authenticate'), (json as { title: string }).title];
  };
  const missing = [401, `${bearer}, ${offered}`, 'The credential of a service is required.'];
  const refused = [
    401,
    `${bearer}, error="invalid_token", ${offered}`,
    'The credential of the service is not accepted.',
  ];
  for (const none of [undefined, 'Bearer', 'Basic', 'Digest x'])
    expect(await challengeFor(none)).toEqual(missing);
  for (const wrong of [
    'Bearer x',
    `Bearer ${secret.slice(0, -1)}`,
    `Bearer ghs_${'A'.repeat(43)}`,
    `Bearer ${token.secret}`,
    `Bearer ${await scene.adminToken()}`,
    'Basic x',
    basic('', secret),
    basic(service, `${secret} `),
    basic(service, token.secret),
  ])
    expect([wrong, ...(await challengeFor(wrong))]).toEqual([wrong, ...refused]);
  unwrap(await revokeServiceCredential(scene.world)(OPERATOR, { service, id: credential.id }));
  expect(await challengeFor(`Bearer ${secret}`)).toEqual(refused);
  expect(scene.find).not.toHaveBeenCalled();
});

test.each([
  ['was revoked', revokeServiceCredential],
  ['belongs to a service that was deleted', deleteService],
] as const)('a credential that %s since the memory was filled is refused after the read', async (_, end) => {
  await using scene = await serveOrders((world) => {
    let remembered: ReturnType<World['services']['list']> | undefined;
    const list = () => {
      remembered ??= world.services.list();
      return remembered;
    };
    return { authenticateService: authenticateService({ ...world, services: { ...world.services, list } }) };
  });
  const { service, credential, token } = scene.given;
  expect((await scene.ask({ token: token.secret })).json).toMatchObject({ active: true });
  if (end === deleteService) unwrap(await deleteService(scene.world)(OPERATOR, service));
  else unwrap(await revokeServiceCredential(scene.world)(OPERATOR, { service, id: credential.id }));
  const used = vi.spyOn(scene.world.usage, 'used');
  const refused = await scene.ask({ token: token.secret });
  expect(problemOf(refused)).toEqual([401, 'service-credential-not-accepted']);
  expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token", Basic realm="gatehouse"');
  expect([scene.find.mock.calls.length, used.mock.calls.length]).toEqual([2, 0]);
  expect(scene.entries().at(-1)).toMatchObject({ reason: 'credential_not_accepted', service });
});

test('two credentials, or a token in the form as well, are an invalid request', async () => {
  await using scene = await serveOrders();
  const { secret, token } = scene.given;
  const twice = await introspect(scene.url, `Bearer ${secret}, ${basic('orders', secret)}`, {
    token: token.secret,
  });
  const inForm = await scene.ask({ token: token.secret, access_token: 'x' });
  for (const reply of [twice, inForm]) {
    expect(problemOf(reply)).toEqual([400, 'repeated-authorization']);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="gatehouse", error="invalid_request"');
  }
});

test('a body without a token, or of more than 16 KiB, is refused', async () => {
  await using scene = await serveOrders();
  const missing = await scene.ask({ tokens: 'x' });
  expect(problemOf(missing)).toEqual([422, 'invalid-input']);
  expect(missing.json).toMatchObject({ errors: [{ field: 'token', message: 'is required' }] });
  expect((await scene.ask({ token: '' })).json).toMatchObject({ errors: [{ message: 'must not be empty' }] });
  expect(problemOf(await scene.ask({ token: 'x'.repeat(16_400) }))).toEqual([413, 'body-too-large']);
  const plain = await scene.ask({ token: 'x' }, { 'content-type': 'text/plain' });
  expect(problemOf(plain)).toEqual([415, 'unsupported-media-type']);
  const labelled = await scene.ask({ token: 'x' }, { 'content-type': `${FORM}; charset=UTF-8` });
  expect(labelled.json).toEqual({ active: false });
});

test('a repeated field is refused, because its sender and the server might take different values', async () => {
  await using scene = await serveOrders();
  const { secret, token } = scene.given;
  const body = `token=x&token=${token.secret}`;
  const headers = { 'content-type': FORM, authorization: `Bearer ${secret}` };
  const reply = await call(scene.url, INTROSPECT, { method: 'POST', body, headers });
  expect(problemOf(reply)).toEqual([400, 'malformed-body']);
  expect(scene.find).not.toHaveBeenCalled();
});
