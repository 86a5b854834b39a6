import type { Route } from '@gatehouse/extension-kit/http';
import { openRaw, type RawReply, sendRaw } from '@gatehouse/front/testing';
import { describe, expect, it } from 'vitest';
import { factsOf } from '../../testing/example-facts.ts';
import { exampleTargets, isRead } from '../../testing/examples.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

/** Each server has the same people, and so the same ids. */
const FACTS = await (async () => {
  await using probe = await startTestServer();
  return factsOf(probe);
})();
const GET_PATHS = exampleTargets(FACTS, isRead).map(({ target }) => target);
const ALL = exampleTargets(FACTS, () => true);

/** The methods that `Allow` lists for the path of a route. */
function allowedOn({ path }: Route): readonly string[] {
  const methods = ALL.filter(({ route }) => route.path === path).map(({ route }) => route.method);
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];
}

const problemOf = ({ status, headers, body }: RawReply) => {
  expect(headers.get('content-type')).toBe('application/problem+json');
  const problem = JSON.parse(body);
  expect(Object.keys(problem)).toEqual(['type', 'title', 'status']);
  expect(problem.status).toBe(status);
  return [status, problem.type.replace('urn:gatehouse:problem:', '')];
};

/** A GET with these header lines, written byte by byte. */
async function sendGet(url: string, path: string, ...lines: readonly string[]): Promise<RawReply> {
  const head = [`GET ${path} HTTP/1.1`, 'Connection: close', ...lines, '', ''].join('\r\n');
  const [reply] = await sendRaw(url, Buffer.from(head, 'latin1'));
  return reply ?? expect.fail(`no answer to ${head}`);
}

describe('a method', () => {
  it.each(GET_PATHS)('HEAD is GET without the body: %s', async (path) => {
    await using scene = await startTestServer();
    const headers = { 'x-request-id': 'same' };
    const get = await scene.get(path, { headers });
    const head = await scene.get(path, { headers, method: 'HEAD' });
    expect([head.status, head.text]).toEqual([get.status, '']);
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'x-request-id']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(get.text));
  });

  it.each(ALL)(
    'of the others: OPTIONS lists them, and the rest is 405, on $target',
    async ({ route, target: path }) => {
      await using scene = await startTestServer();
      const allowed = allowedOn(route);
      using connection = await openRaw(scene.url);
      const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'TRACE', 'PURGE'];
      const others = methods.filter((method) => !allowed.includes(method));
      for (const method of ['OPTIONS', ...others]) {
        connection.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
      }
      const [options, ...replies] = await connection.replies(1 + others.length);
      expect([options?.status, options?.body]).toEqual([204, '']);
      for (const reply of replies) expect(problemOf(reply)).toEqual([405, 'method-not-allowed']);
      for (const reply of [options, ...replies]) expect(reply?.headers.get('allow')).toBe(allowed.join(', '));
    },
  );
});

describe('a path', () => {
  // All spellings are in request-target.test.ts.
  it.each([
    '//',
    '/api/v1/orgs/',
    '/API/v1/me.json',
    '/api/v1/me.json/',
    '/%61pi/v1/me.json',
    '/live',
    '/metrics',
  ])('that no route has in this spelling is not found, token or not: %s', async (path) => {
    await using scene = await startTestServer();
    for (const more of [[], [`Authorization: Bearer ${await scene.adminToken()}`]]) {
      const reply = await sendGet(scene.url, path, 'Host: x', ...more);
      expect(problemOf(reply)).toEqual([404, 'not-found']);
    }
  });

  it.each(['/%', '/api/v1/me.json%', '/%ff', '/api/v1/orgs/%E0%A4', '/a\\b', '/\xff'])(
    'that is none is a malformed request: %s',
    async (path) => {
      await using scene = await startTestServer();
      expect(problemOf(await sendGet(scene.url, path, 'Host: x'))).toEqual([400, 'malformed-request']);
    },
  );
});

describe('a Host header', () => {
  const GOOD = ['x', 'evil.example', '1.2.3.400', '[::1]:99', '', 'x:', 'x:99999999', "a_b.~!$&'()*+;=%20"];
  const NONE = [
    'a b',
    '<>',
    '@',
    'x, y',
    'x,y',
    'x:y',
    'x@y',
    'x/y',
    '127.0.0.1:1/..',
    '[::1',
    'http://x',
    '%',
    '\xff',
  ];

  it('that is a host makes no difference, any other is refused', async () => {
    await using scene = await startTestServer();
    for (const host of GOOD) {
      expect([host, (await sendGet(scene.url, '/openapi.json', `Host: ${host}`)).status]).toEqual([
        host,
        200,
      ]);
    }
    for (const host of NONE) {
      const reply = await sendGet(scene.url, '/openapi.json', `Host: ${host}`);
      expect([host, ...problemOf(reply)]).toEqual([host, 400, 'malformed-request']);
    }
  });

  it('has to be there once in HTTP/1.1, and need not be in HTTP/1.0', async () => {
    await using scene = await startTestServer();
    for (const lines of [[], ['Host: x', 'HOST: x']]) {
      const reply = await sendGet(scene.url, '/openapi.json', ...lines);
      expect(problemOf(reply)).toEqual([400, 'malformed-request']);
    }
    expect(await sendRaw(scene.url, 'GET /openapi.json HTTP/1.0\r\n\r\n')).toMatchObject([{ status: 200 }]);
  });
});

describe('every answer', () => {
  it('has an id, forbids sniffing, and says nothing of the software', async () => {
    await using scene = await startTestServer();
    const paths = [...new Set(ALL.map(({ target }) => target)), '/nope', '/%', '/api/v1/orgs/x'];
    const ids = new Set<string | undefined>();
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
        const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n`;
        for (const authorization of ['', `Authorization: Bearer ${await scene.adminToken()}\r\n`]) {
          const [reply] = await sendRaw(scene.url, `${head}${authorization}\r\n`);
          expect(reply?.headers.get('x-content-type-options')).toBe('nosniff');
          for (const name of ['server', 'x-powered-by']) expect(reply?.headers.has(name)).toBe(false);
          ids.add(reply?.headers.get('x-request-id'));
        }
      }
    }
    expect(ids.size).toBe(paths.length * 8);
    expect(ids).not.toContain(undefined);
  });

  it('keeps the id that a request brought, or has one of its own where what came does not fit', async () => {
    await using scene = await startTestServer();
    const idFor = async (id: string, path = '/nope') =>
      (await scene.get(path, { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    for (const id of ['a', 'A.b_c-9', 'x'.repeat(128)]) {
      expect([await idFor(id), await idFor(id, '/openapi.json')]).toEqual([id, id]);
    }
    for (const id of ['', 'x'.repeat(129), 'a b', 'a/b', 'a"b', 'é', 'a, b']) {
      expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
