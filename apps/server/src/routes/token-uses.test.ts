import { revokeServiceCredential } from '@gatehouse/domain/services';
import { apiToken, OPERATOR, unwrap } from '@gatehouse/domain/testing';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import { expect, test } from 'vitest';
import { call, problemOf } from '../../testing/client.ts';
import { basic, introspect } from '../../testing/introspect.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const PATH = '/api/v1/token-uses';

/** Starts a server with the service `orders` and a token that has a scope of it. */
async function serveOrders() {
  const scene = await startTestServer({ given: async ({ orders }) => ({ given: await orders() }) });
  const { secret: credential, token } = scene.given;
  const send = (body: string, headers = {}) =>
    call(scene.url, PATH, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}`, ...headers },
    });
  return {
    ...scene,
    send,
    report: (body: object, headers = {}) => send(JSON.stringify(body), headers),
    introspected: () => introspect(scene.url, `Bearer ${credential}`, { token: token.secret }),
    /** Returns an entry about a time so many seconds after the start. */
    entry: (seconds: number, parts: object = {}) => ({
      token: token.record.id,
      count: 3,
      last_at: formatInstant((scene.world.clock.now() + 1000 * seconds) as Instant),
      ...parts,
    }),
    usage: () => scene.world.tokens.findUsage(token.record.id),
  };
}

test('a service reports uses and refusals of a token that it introspected', async () => {
  await using scene = await serveOrders();
  await scene.introspected();
  scene.world.clock.advance(30_000);
  const [used, refused] = [
    scene.entry(-2, { client_address: '::ffff:203.0.113.7' }),
    scene.entry(-1, { reason: 'insufficient_scope', client_address: '203.0.113.8' }),
  ];
  for (const authorization of [`Bearer ${scene.given.secret}`, basic('orders', scene.given.secret)]) {
    const reply = await scene.report({ uses: [used], refusals: [refused] }, { authorization });
    expect([reply.status, reply.text, reply.headers.get('cache-control')]).toEqual([204, '', 'no-store']);
  }
  const now = scene.world.clock.now();
  expect(await scene.usage()).toMatchObject({
    lastRefusal: { at: now - 1000, reason: 'insufficient_scope', reportedBy: 'orders' },
    usedAt: [{ service: 'orders', lastAt: now - 2000, from: '203.0.113.7', isReported: true }],
    usedFrom: [],
    refusedFrom: [],
  });
});

test('a report about a token that the service never introspected is answered alike, and changes nothing', async () => {
  await using scene = await serveOrders();
  const reply = await scene.report({ uses: [scene.entry(0)] });
  expect([reply.status, reply.text]).toEqual([204, '']);
  expect(await scene.usage()).toMatchObject({ lastUsedAt: null, usedAt: [] });
});

test.each([
  ['nothing', undefined],
  ['a token', 'token'],
  ['a credential that was revoked', 'revoked'],
])('a caller with %s is refused and told both schemes', async (_, kind) => {
  await using scene = await serveOrders();
  const { world, people, given } = scene;
  if (kind === 'revoked') {
    const { service, credential } = given;
    unwrap(await revokeServiceCredential(world)(OPERATOR, { service, id: credential.id }));
  }
  const secret = kind === 'token' ? (await apiToken(world, people.admin)).secret : given.secret;
  const reply = await scene.report({}, { authorization: kind === undefined ? '' : `Bearer ${secret}` });
  expect(reply.status).toBe(401);
  expect(reply.headers.get('www-authenticate')).toMatch(/Bearer .*Basic /);
});

test.each([
  ['uses.1.token', { token: 'x' }, 'must be the id of a token'],
  ['uses.1.token', { token: undefined }, 'is required'],
  ['uses.1.count', { count: 0 }, 'must be a whole number from 1 to 1000000'],
  ['uses.1.count', { count: '3' }, 'must be a whole number from 1 to 1000000'],
  ['uses.1.count', { count: 1e6 + 1 }, 'must be a whole number from 1 to 1000000'],
  ['uses.1.last_at', { last_at: '2026' }, 'must be a time in RFC 3339, such as 2026-09-21T14:13:20Z'],
  ['uses.1.last_at', { last_at: 1_790_000_000 }, 'must be a time in RFC 3339, such as 2026-09-21T14:13:20Z'],
  ['uses.1.client_address', { client_address: 7 }, 'must be a string'],
])('%s is named if it is wrong (%j), and nothing is stored', async (field, parts, message) => {
  await using scene = await serveOrders();
  await scene.introspected();
  scene.world.clock.advance(30_000);
  const reply = await scene.report({ uses: [scene.entry(0), scene.entry(0, parts)] });
  expect(problemOf(reply)).toEqual([422, 'invalid-input']);
  expect(reply.json).toMatchObject({ errors: [{ field, message }] });
  expect((await scene.usage()).usedAt).toMatchObject([{ isReported: false }]);
});

test.each([
  ['refusals.0.reason', { refusals: [{}] }, 'is required'],
  [
    'refusals.0.reason',
    { refusals: [{ reason: 'revoked' }] },
    'must be insufficient_scope or expired or network_not_allowed',
  ],
  ['uses.0', { uses: ['x'] }, 'must be an object'],
  ['uses', { uses: 'x' }, 'must be an array'],
])('%s is named if it is wrong', async (field, body, message) => {
  await using scene = await serveOrders();
  const { json } = await scene.report(body);
  expect((json as { errors: unknown }).errors).toContainEqual({ field, message });
});

test('an answer names the first 20 of many wrong entries', async () => {
  await using scene = await serveOrders();
  const { json } = await scene.report({ uses: Array.from({ length: 1000 }, () => 'x') });
  expect((json as { errors: unknown[] }).errors).toHaveLength(20);
});

test('a large body is read only after the credential was accepted', async () => {
  await using scene = await serveOrders();
  // A second token is looked for in forms of usual size, before the credential is checked.
  const form = `padding=${'x'.repeat(100_000)}&access_token=x`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Bearer x' };
  expect((await scene.send(form, headers)).status).toBe(401);
});

test('a report has at most 1000 entries, uses and refusals together', async () => {
  await using scene = await serveOrders();
  const uses = Array.from({ length: 1000 }, () => scene.entry(0, { client_address: '2001:db8::1' }));
  expect((await scene.report({ uses })).status).toBe(204);
  const more = [
    await scene.report({ uses: [...uses, scene.entry(0)] }),
    await scene.report({ uses, refusals: [scene.entry(0, { reason: 'expired' })] }),
  ];
  for (const reply of more) {
    expect(problemOf(reply)).toEqual([422, 'invalid-input']);
    expect(reply.text).toContain('must have at most 1000 entries');
  }
});

test('a report has at most 256 KiB', async () => {
  await using scene = await serveOrders();
  const body = JSON.stringify({ uses: [scene.entry(0)] });
  expect((await scene.send(body.padEnd(256 * 1024))).status).toBe(204);
  const reply = await scene.send(body.padEnd(256 * 1024 + 1));
  expect(problemOf(reply)).toEqual([413, 'json-too-large']);
  expect(reply.json).toMatchObject({ title: 'The body is larger than 256 KiB.' });
});

test('only JSON is a report', async () => {
  await using scene = await serveOrders();
  expect(problemOf(await scene.send('{'))).toEqual([400, 'malformed-body']);
  expect(problemOf(await scene.send('{}', { 'content-type': 'text/plain' }))).toEqual([
    415,
    'unsupported-media-type',
  ]);
});
