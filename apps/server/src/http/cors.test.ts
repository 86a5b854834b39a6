import { expect, it } from 'vitest';
import { call, ME } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const ORIGIN = 'https://app.example';
const PATHS = [ME, '/openapi.json', '/nope'];
const corsOf = (headers: Headers) =>
  [...headers].filter(([name]) => name === 'vary' || name.startsWith('access-control-'));
const serveOrigin = () => startTestServer({ ports: { corsOrigins: [ORIGIN] } });

it('CORS is off unless origins are named', async () => {
  await using served = await startTestServer();
  for (const path of PATHS) {
    const { headers } = await call(served.url, path, { headers: { origin: ORIGIN } });
    expect(corsOf(headers)).toEqual([]);
  }
});

it('pages of named origins may read every answer, errors too', async () => {
  await using served = await serveOrigin();
  for (const path of PATHS) {
    const { headers } = await call(served.url, path, { headers: { origin: ORIGIN } });
    expect(corsOf(headers)).toEqual([
      ['access-control-allow-origin', ORIGIN],
      ['access-control-expose-headers', expect.stringContaining('X-Token-Expires-At')],
      ['vary', 'Origin'],
    ]);
  }
});

it('the question that a browser asks first is answered', async () => {
  await using served = await serveOrigin();
  const headers = {
    origin: ORIGIN,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  };
  const preflight = await call(served.url, ME, { method: 'OPTIONS', headers });
  expect([preflight.status, Object.fromEntries(corsOf(preflight.headers))]).toEqual([
    204,
    {
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': expect.stringContaining('Authorization'),
      'access-control-max-age': '600',
      vary: 'Origin',
    },
  ]);
});

it.each(['https://evil.example', 'https://app.example.evil.example', 'http://app.example', 'null', '*'])(
  'a page of %s is told nothing',
  async (origin) => {
    await using served = await serveOrigin();
    const { headers } = await call(served.url, '/openapi.json', { headers: { origin } });
    expect(corsOf(headers)).toEqual([['vary', 'Origin']]);
  },
);
