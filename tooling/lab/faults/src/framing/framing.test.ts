import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { none, recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { freePorts } from '@gatehouse/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Haproxy, hasHaproxy, startHaproxy } from '../stage/haproxy.ts';
import { type ServerNode, startNode } from '../stage/node.ts';
import { openPopulated, type Population } from '../stage/population.ts';
import { attacks } from './attacks.ts';
import { exchange, type RawAnswer } from './raw-exchange.ts';

const SIZE = sized({ short: { sequences: 40 }, full: { sequences: 5_000 } });

if (!hasHaproxy) recordSkip('Q36', 'haproxy is not installed (apt-get install haproxy)');

const resources = new AsyncDisposableStack();
let node: ServerNode;
let people: Population;
let proxy: Haproxy | undefined;

beforeAll(async () => {
  const { settings, ...population } = resources.use(await openPopulated());
  people = population;
  const [port, opsPort, front] = (await freePorts(3)) as [number, number, number];
  const ports = { PORT: String(port), OPS_PORT: String(opsPort), ACCESS_LOG: 'on' };
  node = resources.use(await startNode({ ...settings, ...ports }));
  if (!hasHaproxy) return;
  proxy = resources.use(await startHaproxy(front, [{ port, opsPort }]));
  await proxy.untilUp(1);
});
afterAll(() => resources.disposeAsync());

const WAYS = [
  { way: 'directly', isMissing: false, urlOf: () => node.url },
  { way: 'behind haproxy', isMissing: !hasHaproxy, urlOf: () => proxy?.url ?? '' },
];

/** haproxy answers by itself while it considers the server down, as on a busy machine. */
async function whenUp(ask: () => Promise<readonly RawAnswer[]>): Promise<readonly RawAnswer[]> {
  for (;;) {
    const answers = await ask();
    if (!answers.some(({ status, requestId }) => status === 503 && requestId === undefined)) return answers;
    await proxy?.untilUp(1);
  }
}

let serial = 0;
const newId = (what: string) => {
  serial += 1;
  return `${what}-${serial}`;
};

/** Another client, which sends two requests of its own. */
async function askAsAnother(url: string) {
  const ids = [newId('victim'), newId('victim')];
  const [me, nothing] = ids.map(
    (id, index) =>
      `GET ${index === 0 ? '/api/v1/me.json' : '/nope'} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${people.token}\r\nX-Request-Id: ${id}\r\n\r\n`,
  ) as [string, string];
  const answers = await whenUp(() => exchange(url, [me, nothing], 2));
  return {
    expected: ids.map((id, index) => [id, index === 0 ? 200 : 404]),
    seen: answers.map(({ requestId, status }) => [requestId, status]),
  };
}

describe.each(WAYS)('a request that could be parsed as two, sent $way', ({ way, isMissing, urlOf }) => {
  test.skipIf(isMissing)(
    'is one or none: no response goes to another request or another client',
    async () => {
      const url = urlOf();
      const all = attacks({ outer: 'outer', inner: 'inner' });
      for (const [index, { name }] of all.entries()) {
        const ids = { outer: newId('outer'), inner: newId('inner') };
        const { text, isInBody } = attacks(ids)[index] ?? expect.fail();
        const answers = await whenUp(() => exchange(url, [text]));
        const seen = answers.map(({ requestId }) => requestId);
        // An unparsable request has an id of its own, or none if haproxy refuses it; and it is the last one.
        expect(answers.length, name).toBeLessThanOrEqual(2);
        // haproxy may close an incomplete request without a response.
        if (way === 'directly') expect(answers.length, name).toBeGreaterThan(0);
        // If haproxy sees two requests, each has its own response, the second one last.
        if (seen.includes(ids.inner)) {
          expect(seen.length > 1 && seen.at(-1), name).toBe(ids.inner);
          expect(seen[0] === ids.outer || answers[0]?.status === 400, name).toBe(true);
        }
        if (isInBody || way === 'directly') expect(seen, name).not.toContain(ids.inner);
        for (const { status } of answers)
          expect([200, 204, 400, 401, 404, 405, 408, 413, 415, 422], name).toContain(status);

        const { expected, seen: victims } = await askAsAnother(url);
        expect(victims, name).toEqual(expected);
      }
    },
    60_000,
  );
});

describe.each(WAYS)('requests on one connection, sent $way', ({ isMissing, urlOf }) => {
  const KINDS: readonly ((id: string) => readonly [text: string, status: number])[] = [
    (id) => [head('GET', '/openapi.json', id, ''), 200],
    (id) => [head('GET', '/api/v1/me.json', id, `Authorization: Bearer ${people.token}\r\n`), 200],
    (id) => [head('GET', people.path, id, `Authorization: Bearer ${people.token}\r\n`), 200],
    (id) => [head('GET', people.path, id, ''), 401],
    (id) => [head('GET', '/nope', id, ''), 404],
    (id) => [head('DELETE', '/openapi.json', id, 'Content-Length: 0\r\n'), 405],
    (id) => [`${head('POST', '/api/v1/auth.json', id, `${JSON_TYPE}Content-Length: 1\r\n`)}{`, 400],
    (id) => [`${head('POST', '/api/v1/auth.json', id, `${JSON_TYPE}Content-Length: 2\r\n`)}{}`, 422],
    (id) => [
      `${head('POST', '/api/v1/auth.json', id, `${JSON_TYPE}Transfer-Encoding: chunked\r\n`)}1\r\n{\r\n1;a=b\r\n}\r\n0\r\n\r\n`,
      422,
    ],
    (id) => [
      `${head('POST', '/api/v1/auth.json', id, 'Content-Type: text/plain\r\nContent-Length: 5\r\n')}GET /`,
      415,
    ],
    (id) => [`${head('GET', '/openapi.json', id, 'Content-Length: 9\r\n')}GET / HTT`, 200],
  ];
  const JSON_TYPE = 'Content-Type: application/json\r\n';
  const head = (method: string, path: string, id: string, more: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n${more}\r\n`;
  const random = (below: number) => Math.floor(Math.random() * below);

  /** In one chunk, or in several that end anywhere. */
  function cut(text: string): readonly string[] {
    const places = Array.from({ length: random(4) }, () => random(text.length)).sort((a, b) => a - b);
    return [0, ...places]
      .map((from, index) => text.slice(from, places[index]))
      .filter((piece) => piece !== '');
  }

  test.skipIf(isMissing)(
    `are answered one by one, in order, however they arrive: ${SIZE.sequences} times up to 8`,
    {
      timeout: 60_000 + SIZE.sequences * 100,
    },
    async () => {
      let sent = 0;
      for (let sequence = 0; sequence < SIZE.sequences; sequence += 1) {
        const requests = Array.from({ length: 1 + random(8) }, () => {
          const id = newId('pipelined');
          const [text, status] = KINDS[random(KINDS.length)]?.(id) ?? expect.fail();
          return { text, expected: [id, status] };
        });
        const texts = requests.map(({ text }) => text).join('');
        const answers = await whenUp(() => exchange(urlOf(), cut(texts), requests.length));
        expect(
          answers.map(({ requestId, status }) => [requestId, status]),
          texts,
        ).toEqual(requests.map(({ expected }) => expected));
        sent += requests.length;
      }
      const where = urlOf() === node.url ? 'directly' : 'behind haproxy';
      recordFigures('Q36', [
        { name: `requests pipelined ${where}`, measured: String(sent) },
        none('answered out of order, or to another request', 0),
      ]);
    },
  );
});

test('a hidden request is answered, and detected, with a lenient parser', async () => {
  const lenient = createServer({ insecureHTTPParser: true }, (request, response) => {
    const body = '{}';
    response.setHeader('x-request-id', request.headers['x-request-id'] ?? '');
    response.setHeader('content-length', body.length);
    request.resume().on('end', () => response.end(body));
  });
  // In this test only: the product has no way to make the parser lenient.
  Object.assign(lenient, { httpAllowHalfOpen: true });
  await new Promise<void>((resolve) => lenient.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(lenient.address() as AddressInfo).port}`;
  const found: string[] = [];
  for (const { name, text } of attacks({ outer: 'outer', inner: 'inner' })) {
    const answers = await exchange(url, [text]).catch(() => []);
    if (answers.some(({ requestId }) => requestId === 'inner')) found.push(name);
  }
  lenient.closeAllConnections();
  lenient.close();
  expect(found.length).toBeGreaterThan(0);
});
