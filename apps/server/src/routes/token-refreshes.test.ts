import { expect, test } from 'vitest';
import { call } from '../../testing/client.ts';
import { introspect } from '../../testing/introspect.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

/** Starts a server with a service that has introspected a token. */
async function serveUsed() {
  const scene = await startTestServer({ given: async ({ orders }) => ({ given: await orders() }) });
  const { secret, token } = scene.given;
  const { json } = await introspect(scene.url, `Bearer ${secret}`, { token: token.secret, depends: '1' });
  await scene.world.usage.flush();
  const refresh = (tokens: unknown, credential: string = secret) =>
    call(scene.url, '/api/v1/token-refreshes', {
      method: 'POST',
      token: credential,
      body: JSON.stringify({ tokens }),
      headers: { 'content-type': 'application/json' },
    });
  return { ...scene, introspected: json, refresh };
}

test('each token is answered as by introspection, in the order of the ids', async () => {
  await using scene = await serveUsed();
  const unknown = '0190a5b0-0000-7000-8000-000000000000';
  const { id } = scene.given.token.record;
  expect(await scene.refresh([unknown, id])).toMatchObject({
    status: 200,
    json: { tokens: [{ active: false }, scene.introspected] },
  });
});

test.each([
  ['no id', [], 'tokens', 'must be 1 to 200 ids of tokens'],
  [
    '201 ids',
    Array.from({ length: 201 }, (_, index) => `0190a5b0-0000-7000-8000-${String(index).padStart(12, '0')}`),
    'tokens',
    'must be 1 to 200 ids of tokens',
  ],
  [
    'an id twice',
    Array(2).fill('0190a5b0-0000-7000-8000-000000000000'),
    'tokens',
    'must not have an id twice',
  ],
  ['a text that is no id', ['x'], 'tokens.0', 'must be the id of a token'],
  ['no list', 'x', 'tokens', 'must be a list'],
])('%s is refused', async (_, tokens, field, message) => {
  await using scene = await serveUsed();
  expect(await scene.refresh(tokens)).toMatchObject({ status: 422, json: { errors: [{ field, message }] } });
});

test('a token refreshes nothing', async () => {
  await using scene = await serveUsed();
  const { record, secret } = scene.given.token;
  expect((await scene.refresh([record.id], secret)).status).toBe(401);
});
