import { describe, expect, it } from 'vitest';
import { call } from '../../testing/client.ts';
import { serveWorld } from '../../testing/serve-world.ts';
import { createCorsHeaders } from './cors.ts';

const ORIGIN = 'https://app.example';
const PATHS = ['/api/v1/me.json', '/openapi.json', '/nope'];
const corsOf = (headers: Headers) =>
  [...headers].filter(([name]) => name === 'vary' || name.startsWith('access-control-'));

describe('CORS', () => {
  it('is off unless origins are named', async () => {
    await using served = await serveWorld();
    for (const path of PATHS) {
      const { headers } = await call(served.url, path, { headers: { origin: ORIGIN } });
      expect(corsOf(headers)).toEqual([]);
    }
  });

  it('lets pages of named origins read every answer, errors too', async () => {
    await using served = await serveWorld({ replace: () => ({ corsHeaders: createCorsHeaders([ORIGIN]) }) });
    for (const path of PATHS) {
      const { headers } = await call(served.url, path, { headers: { origin: ORIGIN } });
      expect(corsOf(headers)).toEqual([
        ['access-control-allow-origin', ORIGIN],
        ['access-control-expose-headers', expect.stringContaining('X-Token-Expires-At')],
        ['vary', 'Origin'],
      ]);
    }
  });

  it('answers the question that a browser asks first', async () => {
    await using served = await serveWorld({ replace: () => ({ corsHeaders: createCorsHeaders([ORIGIN]) }) });
    const headers = {
      origin: ORIGIN,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    };
    const preflight = await call(served.url, '/api/v1/me.json', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each(['https://evil.example', 'https://app.example.evil.example', 'http://app.example', 'null', '*'])(
    'tells a page of %s nothing',
    async (origin) => {
      await using served = await serveWorld({
        replace: () => ({ corsHeaders: createCorsHeaders([ORIGIN]) }),
      });
      const { headers } = await call(served.url, '/openapi.json', { headers: { origin } });
      expect(corsOf(headers)).toEqual([['vary', 'Origin']]);
    },
  );
});
