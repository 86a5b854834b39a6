import type { Route } from '@gatehouse/extension-kit/http';
import { describe, expect, it } from 'vitest';
import { call } from '../../testing/client.ts';
import { exampleTargets, isRead } from '../../testing/examples.ts';
import { apiToken, populate } from '../../testing/population.ts';
import { openRaw, type RawReply, sendRaw } from '../../testing/raw-http.ts';
import { serveWorld } from '../../testing/serve-world.ts';

/** Of the people that `populate` makes. */
const FACTS = { shared: 1, closed: 2, foreign: 3, email: 'ada@acme.example' };
const GET_PATHS = exampleTargets(FACTS, isRead).map(({ target }) => target);
const ALL = exampleTargets(FACTS, () => true);

/** What `Allow` lists for the path of a route. */
function allowedOn({ path }: Route): readonly string[] {
  const methods = ALL.filter(({ route }) => route.path === path).map(({ route }) => route.method);
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];
}

async function serveAnswers() {
  const served = await serveWorld();
  const people = await populate(served.world);
  const { secret: token } = await apiToken(served.world, people.admin);
  return { ...served, people, token };
}

const problemOf = ({ status, headers, body }: RawReply) => {
  expect(headers.get('content-type')).toBe('application/problem+json');
  const problem = JSON.parse(body);
  expect(Object.keys(problem)).toEqual(['type', 'title', 'status']);
  expect(problem.status).toBe(status);
  return [status, problem.type.replace('urn:gatehouse:problem:', '')];
};

describe('a method', () => {
  it.each(GET_PATHS)('HEAD is GET without the body: %s', async (path) => {
    await using scene = await serveAnswers();
    const { token } = scene;
    const headers = { 'x-request-id': 'same' };
    const [get, head] = [
      await call(scene.url, path, { token, headers }),
      await call(scene.url, path, { token, headers, method: 'HEAD' }),
    ];
    expect([head.status, head.text]).toEqual([get.status, '']);
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'x-request-id']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(get.text));
  });

  it.each(ALL)(
    'of the others: OPTIONS lists them, and the rest is 405, on $target',
    async ({ route, target: path }) => {
      await using scene = await serveAnswers();
      const allowed = allowedOn(route);
      const options = await call(scene.url, path, { method: 'OPTIONS' });
      expect([options.status, options.text, options.headers.get('allow')]).toEqual([
        204,
        '',
        allowed.join(', '),
      ]);
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'TRACE', 'PURGE'];
      using connection = await openRaw(scene.url);
      for (const method of others.filter((other) => !allowed.includes(other))) {
        connection.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
      }
      const replies = await connection.replies(others.length - allowed.length + 1);
      const bodied = replies.filter(({ body }) => body !== '');
      for (const reply of bodied) expect(problemOf(reply)).toEqual([405, 'method-not-allowed']);
      for (const { status, headers } of replies) {
        expect([status, headers.get('allow')]).toEqual([405, allowed.join(', ')]);
      }
    },
  );
});

describe('a path', () => {
  it.each([
    '/',
    '/api',
    '/api/v1/orgs',
    '/api/v1/orgs/',
    '/api/v1/orgs/1/',
    '/api/v1/orgs/1/2',
    '/api/v1/me.json/',
    '/api/v1/me',
    '/API/v1/me.json',
    '//api/v1/me.json',
    '/api//v1/me.json',
    '/./api/v1/me.json',
    '/x/../api/v1/me.json',
    '/%61pi/v1/me.json',
    '/api/v1/me%2ejson',
    '/api%2Fv1/me.json',
    '/api/v1/me.json%00',
    '/api/v1/me.json;a',
    '/live',
    '/ready',
    '/metrics',
  ])('that no route has in this spelling is not found, token or not: %s', async (path) => {
    await using scene = await serveAnswers();
    using connection = await openRaw(scene.url);
    connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${scene.token}\r\n\r\n`);
    connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    for (const reply of await connection.replies(2)) expect(problemOf(reply)).toEqual([404, 'not-found']);
  });

  it.each([
    '/%',
    '/%ZZ',
    '/api/v1/me.json%',
    '/%ff',
    '/api/v1/orgs/%E0%A4',
    '/a\\b',
    '/a<b>',
    '/a"b',
    '/a|b',
    '/\xff',
  ])('that is none is a malformed request: %s', async (path) => {
    await using scene = await serveAnswers();
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const [reply] = await sendRaw(scene.url, Buffer.from(request, 'latin1'));
    expect(problemOf(reply as RawReply)).toEqual([400, 'malformed-request']);
  });

  it('takes any query, and makes nothing of it', async () => {
    await using scene = await serveAnswers();
    const { token } = scene;
    for (const query of ['?', '?a=b', '?id=2', '?\'%00<>"%ZZ', '#fragment']) {
      expect((await call(scene.url, `/api/v1/me.json${query}`, { token })).status).toBe(200);
    }
  });
});

describe('who is asked', () => {
  it.each(['x', 'evil.example', '1.2.3.400', '[::1]:99', '', 'x:', 'x:99999999', "a_b.~!$&'()*+;=%20"])(
    'makes no difference by the Host header: %j',
    async (host) => {
      await using scene = await serveAnswers();
      const answers = await Promise.all(
        ['/openapi.json', '/api/v1/me.json', '/nope?"'].map((path) =>
          sendRaw(
            scene.url,
            `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nAuthorization: Bearer ${scene.token}\r\nConnection: close\r\n\r\n`,
          ),
        ),
      );
      expect(answers.map(([reply]) => reply?.status)).toEqual([200, 200, 404]);
      for (const [reply] of answers)
        expect(JSON.stringify([...(reply?.headers ?? []), reply?.body])).not.toContain('evil');
    },
  );

  it.each([
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
  ])('cannot be by a Host header that is none: %j', async (host) => {
    await using scene = await serveAnswers();
    const request = `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const [reply] = await sendRaw(scene.url, Buffer.from(request, 'latin1'));
    expect(problemOf(reply as RawReply)).toEqual([400, 'malformed-request']);
  });

  it('makes no difference by the host of an absolute target, only the path counts', async () => {
    await using scene = await serveAnswers();
    const ask = async (target: string) => {
      const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${scene.token}\r\n`;
      return (await sendRaw(scene.url, `${head}Connection: close\r\n\r\n`))[0]?.status;
    };
    expect(await ask('http://evil.example/api/v1/me.json')).toBe(200);
    expect(await ask('HTTPS://evil.example:1/api/v1/me.json?a')).toBe(200);
    expect(await ask('http://evil.example')).toBe(404);
    expect(await ask('http://evil.example//api/v1/me.json')).toBe(404);
    expect(await ask('http://1.2.3.400/api/v1/me.json')).toBe(200);
    expect(await ask('ftp://evil.example/api/v1/me.json')).toBe(400);
    expect(await ask('api/v1/me.json')).toBe(400);
  });

  it('has to be said once in HTTP/1.1, and need not be in HTTP/1.0', async () => {
    await using scene = await serveAnswers();
    const head = 'GET /openapi.json HTTP/1.1\r\nConnection: close\r\n';
    for (const request of [`${head}\r\n`, `${head}Host: x\r\nHOST: x\r\n\r\n`]) {
      const [reply] = await sendRaw(scene.url, request);
      expect(problemOf(reply as RawReply)).toEqual([400, 'malformed-request']);
    }
    expect(await sendRaw(scene.url, 'GET /openapi.json HTTP/1.0\r\n\r\n')).toMatchObject([{ status: 200 }]);
  });
});

describe('every answer', () => {
  it('has an id, forbids sniffing, and says nothing of the software', async () => {
    await using scene = await serveAnswers();
    const paths = [...new Set(ALL.map(({ target }) => target)), '/nope', '/%', '/api/v1/orgs/x'];
    const ids = new Set<string | undefined>();
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
        const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n`;
        for (const authorization of ['', `Authorization: Bearer ${scene.token}\r\n`]) {
          const [reply] = await sendRaw(scene.url, `${head}${authorization}\r\n`);
          expect(reply?.headers.get('x-content-type-options')).toBe('nosniff');
          expect([...(reply?.headers.keys() ?? [])]).not.toContain('server');
          expect([...(reply?.headers.keys() ?? [])]).not.toContain('x-powered-by');
          ids.add(reply?.headers.get('x-request-id'));
        }
      }
    }
    expect(ids.size).toBe(paths.length * 8);
    expect(ids).not.toContain(undefined);
  });

  it.each([['a'], ['A.b_c-9'], ['x'.repeat(128)]])('keeps the id that a request brought: %s', async (id) => {
    await using scene = await serveAnswers();
    for (const path of ['/openapi.json', '/nope']) {
      const { headers } = await call(scene.url, path, { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toBe(id);
    }
  });

  it.each([[''], ['x'.repeat(129)], ['a b'], ['a/b'], ['a"b'], ['é'], ['a, b']])(
    'has an id of its own where what came does not fit: %j',
    async (id) => {
      await using scene = await serveAnswers();
      const { headers } = await call(scene.url, '/nope', { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});
