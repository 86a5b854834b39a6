import { type RawReply, sendRaw } from '@gatehouse/front/testing';
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../testing/start-test-server.ts';

const expectProblem = (reply: RawReply | undefined, status: number, name: string) => {
  expect(reply?.status).toBe(status);
  expect(reply?.headers.get('content-type')).toBe('application/problem+json');
  expect(reply?.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply?.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(reply?.headers.get('connection')).toBe('close');
  expect(JSON.parse(reply?.body ?? '')).toEqual({
    type: `urn:gatehouse:problem:${name}`,
    title: expect.any(String),
    status,
  });
};

const POST = 'POST /api/v1/auth.json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('a request that never reaches a route', () => {
  it.each([
    ['cannot be read', 'hello\r\n\r\n', 400, 'malformed-request'],
    ['asks for a tunnel', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed-request'],
    [
      'has chunks in HTTP/1.0',
      'POST /api/v1/auth.json HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'malformed-request',
    ],
    [
      'has too large headers',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`,
      431,
      'headers-too-large',
    ],
    [
      'has too many header fields',
      `GET / HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(200)}\r\n`,
      431,
      'headers-too-large',
    ],
    [
      'has too large chunk extensions',
      `${POST}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`,
      413,
      'body-too-large',
    ],
    ['takes too long', `${POST}Content-Length: 10\r\n\r\n{`, 408, 'request-timeout'],
  ])('is answered by a problem if it %s', async (_, request, status, name) => {
    await using served = await startTestServer({
      timeLimits: { headers: 100, request: 100, checkEvery: 20 },
    });
    const [reply, ...more] = await sendRaw(served.url, request);
    expectProblem(reply, status, name);
    expect(more).toEqual([]);
  });

  it('is answered under its own id', async () => {
    await using served = await startTestServer();
    const tunnel = 'CONNECT evil.example:80 HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n\r\n';
    const [reply] = await sendRaw(served.url, tunnel);
    expect(reply?.headers.get('x-request-id')).toBe('mine');
  });
});
