import { afterAll, expect, test } from 'vitest';
import { call } from '../../testing/client.ts';
import { basic } from '../../testing/introspect.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const PATH = '/api/v1/token-changes';
const NONCE = 'k7Zt1RvQ3yWb9aXe';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());
const { secret: credential, token } = await server.orders();

const ask = (authorization: string, query = `?nonce=${NONCE}`, method = 'GET') =>
  call(server.url, `${PATH}${query}`, { method, headers: { authorization } });

test.each([`Bearer ${credential}`, basic('orders', credential)])(
  'a service gets a stream that repeats its nonce',
  async (authorization) => {
    const reply = await ask(authorization);
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream',
      'no-store',
    ]);
    const [line = ''] = reply.text.split('\n\n');
    expect(JSON.parse(line.replace(/^data: /, ''))).toMatchObject({ hello: { nonce: NONCE } });
  },
);

test('HEAD has the headers and opens no stream', async () => {
  const reply = await ask(`Bearer ${credential}`, undefined, 'HEAD');
  expect([reply.status, reply.headers.get('content-type'), reply.text]).toEqual([
    200,
    'text/event-stream',
    '',
  ]);
});

test('a token opens no stream', async () => {
  expect((await ask(`Bearer ${token.secret}`)).status).toBe(401);
});

test.each(['', '?nonce=', '?nonce=short', `?nonce=${NONCE}!`, `?nonce=${'x'.repeat(65)}`])(
  'the query "%s" is refused with what is wrong',
  async (query) => {
    expect(await ask(`Bearer ${credential}`, query)).toMatchObject({
      status: 422,
      json: { errors: [{ field: 'nonce' }] },
    });
  },
);
