import { createOpenApiDocument } from '@gatehouse/api-contract';
import { createAnswerCheck } from '@gatehouse/api-contract/testing';
import { ok } from '@gatehouse/domain';
import { READ_ME, READ_ORGANIZATION } from '@gatehouse/domain/access';
import { authenticateService } from '@gatehouse/domain/services';
import { apiToken, createWorld, populate } from '@gatehouse/domain/testing';
import { authenticateToken, authenticateUnrecorded } from '@gatehouse/domain/tokens';
import { defineRoute, pageOf, pageQuery, toPage } from '@gatehouse/extension-kit/http';
import { createClientAddress } from '@gatehouse/front';
import { createRequestHandler, endpointsOf, serveRoute } from '@gatehouse/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Call, call } from '../../testing/client.ts';
import { listen } from '../../testing/listen.ts';
import { recordLog } from '../../testing/log.ts';
import { createRefusalLog } from '../logging/request-logs.ts';

const listThings = defineRoute({
  operationId: 'listThings',
  method: 'GET',
  path: '/things/{colour}',
  tag: 'Orgs',
  summary: 'List things',
  rule: READ_ORGANIZATION,
  params: { colour: z.enum(['red', 'grün']) },
  query: { ...pageQuery(z.int().positive()), name: z.string().max(3).optional() },
  success: {
    status: 200,
    description: 'A page.',
    body: pageOf(z.strictObject({ id: z.int(), name: z.string() })),
    cacheControl: 'private, no-cache',
    etag: true,
  },
  problems: ['not_found'],
});

const addThing = defineRoute({
  operationId: 'addThing',
  method: 'POST',
  path: '/things/{colour}',
  tag: 'Orgs',
  summary: 'Add a thing',
  rule: READ_ORGANIZATION,
  params: { colour: z.enum(['red', 'grün']) },
  body: z.object({ name: z.string() }),
  success: {
    status: 201,
    description: 'The thing.',
    body: z.strictObject({ name: z.string() }),
    cacheControl: 'no-store',
  },
  problems: ['not_found'],
});

const deleteThing = defineRoute({
  operationId: 'deleteThing',
  method: 'DELETE',
  path: '/things/{colour}',
  tag: 'Orgs',
  summary: 'Delete a thing',
  rule: READ_ME,
  params: { colour: z.string() },
  success: { status: 204, description: 'Deleted.', cacheControl: 'no-store' },
});

const ROUTES = [listThings, addThing, deleteThing];
const THINGS = Array.from({ length: 7 }, (_, index) => ({ id: index + 1, name: `Thing ${index + 1}` }));

async function serveThings() {
  const world = await createWorld();
  const { admin } = await populate(world);
  const token = (await apiToken(world, admin, { scopes: ['orgs:read'] })).secret;
  const anotherToken = (await apiToken(world, admin, { scopes: ['me:read'] })).secret;
  const { log } = recordLog();
  const ports = {
    authenticateToken: authenticateToken(world),
    authenticateUnrecorded: authenticateUnrecorded(world),
    authenticateService: authenticateService(world),
    usage: world.usage,
    refusalLog: createRefusalLog(log, { inc: () => undefined }),
  };
  const routes = [
    serveRoute(listThings, {
      handle: ({ query: { limit, cursor = 0 } }) =>
        ok(toPage(THINGS.filter(({ id }) => id > cursor).slice(0, limit + 1), limit, ({ id }) => id)),
      toBody: ({ things, nextCursor }) => ({ items: [...things], next_cursor: nextCursor }),
    }),
    serveRoute(addThing, {
      handle: ({ body, params }) => ok(`${body.name} ${params.colour}`),
      toBody: (name) => ({ name }),
    }),
    serveRoute(deleteThing, { handle: () => ok(undefined), toBody: () => undefined }),
  ];
  const app = createRequestHandler(
    { log, clientAddress: createClientAddress(undefined) },
    endpointsOf(ports, routes),
  );
  const served = await listen(app);
  onTestFinished(() => served[Symbol.asyncDispose]());
  const ask = (path: string, request: Call = {}) => call(served.url, path, { token, ...request });
  return { url: served.url, anotherToken, ask };
}

const { problemsOf } = createAnswerCheck(JSON.parse(JSON.stringify(createOpenApiDocument('paseto', ROUTES))));

function expectAsDocumented(
  operationId: string,
  { status, headers, text }: Awaited<ReturnType<typeof call>>,
) {
  expect(problemsOf(operationId, { status, headers: new Map(headers), body: text })).toEqual([]);
}

describe('a list in pages', () => {
  it('is read to its end by the cursors that it gives', async () => {
    const { ask } = await serveThings();
    const ids: number[] = [];
    let cursor: string | null = '';
    let pages = 0;
    while (cursor !== null) {
      const reply = await ask(`/things/red?limit=3${cursor && `&cursor=${cursor}`}`);
      expectAsDocumented('listThings', reply);
      const page = reply.json as { items: { id: number }[]; next_cursor: string | null };
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
      pages += 1;
    }
    expect([ids, pages]).toEqual([[1, 2, 3, 4, 5, 6, 7], 3]);
  });

  it('has a limit of its own where the query has none, and no cursor on a last page that is full', async () => {
    const { ask } = await serveThings();
    expect((await ask('/things/red')).json).toMatchObject({ items: THINGS, next_cursor: null });
    expect((await ask('/things/red?limit=7')).json).toMatchObject({ items: THINGS, next_cursor: null });
  });

  it.each([
    ...['limit=0', 'limit=101', 'limit=1.5', 'limit=', 'limit', 'limit=+1'].map((query) => [query, 'limit']),
    ...['cursor=', 'cursor=x', 'cursor=LTE', 'cursor=%00'].map((query) => [query, 'cursor']),
    ...['name=long', 'name=%ff', 'name=a&name=b', 'n%61me=long'].map((query) => [query, 'name']),
  ])(
    'answers a query that is not valid with a problem that names the parameter: %s',
    async (query, field) => {
      const { ask } = await serveThings();
      const reply = await ask(`/things/red?${query}`);
      expect([reply.status, reply.json]).toMatchObject([
        422,
        { type: 'urn:gatehouse:problem:invalid-query', errors: [{ field }] },
      ]);
      expectAsDocumented('listThings', reply);
    },
  );

  it.each(['x=%ff', 'limits=0', '%ff=1', '', '&&=', 'LIMIT=0', 'toString=1', 'x=1#&limit=0'])(
    'ignores what the route does not describe: %s',
    async (query) => {
      const { ask } = await serveThings();
      expect((await ask(`/things/red?${query}`)).json).toMatchObject({ items: THINGS });
    },
  );

  it('answers 304 to a caller who has the page', async () => {
    const { ask } = await serveThings();
    const etag = (await ask('/things/red?limit=2')).headers.get('etag') ?? '';
    const known = await ask('/things/red?limit=2', { headers: { 'if-none-match': etag } });
    expect([known.status, known.text]).toEqual([304, '']);
    expect((await ask('/things/red?limit=3', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });
});

describe('what is wrong with a request', () => {
  it.each([{}, { authorization: 'Bearer x' }])(
    'is not said to a caller without a token that is accepted: %j',
    async (headers) => {
      const { url } = await serveThings();
      for (const path of ['/things/red?limit=0', '/things/blue', '/things/red?cursor=x']) {
        expect((await call(url, path, { headers })).status).toBe(401);
      }
      expect((await call(url, '/things/red', { headers, method: 'POST', body: '{' })).status).toBe(401);
    },
  );

  it('is not said to a caller whose token lacks the scope', async () => {
    const { ask } = await serveThings();
    const reply = await ask('/things/blue', { method: 'DELETE' });
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="gatehouse", error="insufficient_scope", scope="me:read"',
    ]);
  });

  it('is that there is nothing where a parameter of the path is refused', async () => {
    const { ask } = await serveThings();
    const reply = await ask('/things/blue?limit=0');
    expect(reply.status).toBe(404);
    expectAsDocumented('listThings', reply);
    expect((await ask('/things/gr%C3%BCn')).status).toBe(200);
  });
});

it.each([
  ['application/json', '{"name":"a"}', 201],
  ['application/x-www-form-urlencoded', 'name=a', 201],
  ['application/json', '{', 400],
  ['text/plain', 'name=a', 415],
  ['application/json', '{"name":1}', 422],
])(
  'the body of a route that takes a token is parsed as one of a public route is: %s %s',
  async (type, body, status) => {
    const { ask } = await serveThings();
    const reply = await ask('/things/red', { method: 'POST', body, headers: { 'content-type': type } });
    expect(reply.status).toBe(status);
    expectAsDocumented('addThing', reply);
    if (status === 201) expect(reply.json).toEqual({ name: 'a red' });
  },
);

it('an answer without a body is 204', async () => {
  const { ask, anotherToken } = await serveThings();
  const reply = await ask('/things/red', { method: 'DELETE', token: anotherToken });
  expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([204, '', null]);
  expectAsDocumented('deleteThing', reply);
});
