import { err, ok, UnavailableFault } from '@gatehouse/domain';
import { INTROSPECT_TOKENS, READ_ME } from '@gatehouse/domain/access';
import { apiToken } from '@gatehouse/domain/testing';
import type { UserId } from '@gatehouse/domain/users';
import { defineRefusals } from '@gatehouse/extension-kit';
import { defineRoute, handleRoute, outcomesOf } from '@gatehouse/extension-kit/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Call, call, problemOf } from '../testing/client.ts';
import { startTestServer } from '../testing/start-test-server.ts';
import type { ExtensionRoutes } from './extension-routes.ts';

const { gauge_broken: BROKEN } = defineRefusals({
  gauge_broken: { status: 409, title: 'The gauge is broken.', exit: 'conflict' },
});

const readGauge = defineRoute({
  operationId: 'readGauge',
  method: 'GET',
  path: '/api/v1/gauges/{name}',
  tag: 'Gauges',
  summary: 'Read a gauge',
  rule: READ_ME,
  params: { name: z.string() },
  success: { status: 200, description: 'The value.', body: z.number(), cacheControl: 'no-store' },
  refusals: [BROKEN],
});

const ANYWHERE = {
  operationId: 'getElsewhere',
  method: 'GET',
  tag: 'Gauges',
  summary: 'Read it',
  public: true,
  success: { status: 200, description: 'The value.', body: z.number(), cacheControl: 'no-store' },
} as const;

const handled = handleRoute(readGauge, {
  async handle({ params: { name } }) {
    if (name === 'stuck') return new Promise<never>(() => undefined);
    if (name === 'faulty') throw new Error('secret');
    return name === 'broken' ? err({ code: 'gauge_broken' }) : ok(7);
  },
  toBody: (value) => value,
});

const located = defineRoute({
  ...ANYWHERE,
  path: '/api/v1/gauge',
  success: {
    ...ANYWHERE.success,
    headers: { Location: { description: 'Where it is.', format: 'uri-reference' } },
  },
});

/** An extension whose deadline is over at once, for what does not settle by then. */
function serveGauges(parts: Partial<ExtensionRoutes> = {}) {
  const gauges: ExtensionRoutes = {
    routes: [handled],
    deadline: () => new Promise((_, reject) => setImmediate(reject, new UnavailableFault('too late'))),
    onBehalfOf: (_, work) => work(),
    ...parts,
  };
  return serve([gauges]);
}

/** Extensions with these routes. */
const serveExtensions = (...extensions: readonly ExtensionRoutes['routes'][]) =>
  serve(
    extensions.map((routes) => ({
      routes,
      deadline: () => new Promise<never>(() => undefined),
      onBehalfOf: (_, work) => work(),
    })),
  );

async function serve(extensions: readonly ExtensionRoutes[]) {
  const served = await startTestServer({ ports: { extensions } });
  onTestFinished(() => served[Symbol.asyncDispose]());
  const { admin } = served.people;
  const { secret: token } = await apiToken(served.world, admin);
  return {
    ...served,
    user: admin.id,
    ask: (path: string, request: Call = {}) => call(served.url, path, { token, ...request }),
  };
}

describe('the routes of an extension', () => {
  it('are not for services', async () => {
    const { public: _, ...open } = ANYWHERE;
    const route = defineRoute({ ...open, path: '/api/v1/gauge', rule: INTROSPECT_TOKENS });
    const forServices = handleRoute(route, { handle: () => ok(7), toBody: (value) => value });
    await expect(serveExtensions([forServices])).rejects.toThrow(
      'getElsewhere: the rule services:introspect must not allow services',
    );
  });

  it('are served like all others, and refuse in their own words', async () => {
    const { ask, url } = await serveGauges({ deadline: () => new Promise(() => undefined) });
    expect(await ask('/api/v1/gauges/fine')).toMatchObject({ status: 200, json: 7 });
    expect(await ask('/api/v1/gauges/broken')).toMatchObject({
      status: 409,
      json: { type: 'urn:gatehouse:problem:gauge-broken', title: 'The gauge is broken.', status: 409 },
    });
    expect((await call(url, '/api/v1/gauges/fine')).status).toBe(401);
    expect((await ask('/api/v1/gauges/fine', { method: 'PUT' })).status).toBe(405);
    expect(outcomesOf(readGauge).get(409)).toEqual(['gauge_broken']);
  });

  it('have faults of their own: one that throws is 500, one that does not settle is 503', async () => {
    const { ask } = await serveGauges();
    const stuck = await ask('/api/v1/gauges/stuck');
    expect(problemOf(stuck)).toEqual([503, 'unavailable']);
    const faulty = await ask('/api/v1/gauges/faulty');
    expect(problemOf(faulty)).toEqual([500, 'internal-error']);
    expect(faulty.text).not.toContain('secret');
    expect((await ask('/api/v1/me.json')).status).toBe(200);
  });

  it('send the header fields that they describe, made of the value', async () => {
    const route = handleRoute(located, {
      handle: () => ok(7),
      toBody: (value) => value,
      toHeaders: (value) => ({ Location: `/api/v1/gauges/${value}` }),
    });
    const { ask } = await serveGauges({ routes: [route] });
    expect((await ask('/api/v1/gauge')).headers.get('location')).toBe('/api/v1/gauges/7');
  });

  it('that were packed without a rule, before they had to say that they are public, are served as they were', async () => {
    const { public: _, ...unsaid } = located;
    // The compiler refuses such a route; a package of before has it still.
    const packed = handleRoute(unsaid as unknown as typeof located, {
      handle: ({ caller }) => ok(caller === undefined ? 7 : 8),
      toBody: (value) => value,
      toHeaders: () => ({ Location: '/' }),
    });
    const { url } = await serveGauges({ routes: [packed] });
    expect((await call(url, '/api/v1/gauge')).json).toBe(7);
  });

  it('do not compile without the header fields that they describe, or with others', () => {
    const handling = { handle: () => ok(7), toBody: (value: number) => value };
    // The described field is missing.
    // @ts-expect-error
    handleRoute(located, handling);
    // Another field takes its place.
    // @ts-expect-error
    handleRoute(located, { ...handling, toHeaders: () => ({ Place: '/' }) });
    // One more field is not described.
    // @ts-expect-error
    handleRoute(readGauge, { ...handling, toHeaders: () => ({ Location: '/' }) });
  });

  it('do what they do on behalf of the user of the token', async () => {
    const users: UserId[] = [];
    const { ask, user } = await serveGauges({
      onBehalfOf(user, work) {
        users.push(user);
        return work();
      },
    });
    await ask('/api/v1/gauges/broken');
    expect(users).toEqual([user]);
  });

  it('cannot take the place of others', async () => {
    const taken = handleRoute(defineRoute({ ...ANYWHERE, path: '/api/v1/me.json' }), {
      handle: () => ok(7),
      toBody: (value) => value,
    });
    await expect(serveGauges({ routes: [taken] })).rejects.toThrow(
      'getElsewhere: GET /api/v1/me.json is served already',
    );
    await expect(serveGauges({ routes: [handled, handled] })).rejects.toThrow('is served already');
  });

  it.each<[path: `/${string}`, why: string]>([
    ['/sign-in', 'is not /api/ with'],
    ['/settings/api/{token}', 'is not /api/ with'],
    ['/.well-known/more.json', 'is not /api/ with'],
    ['/**', 'is not /api/ with'],
    ['/api/v1/**', 'is not /api/ with'],
    ['/api/v1/:id?', 'is not /api/ with'],
    ['/api/v1/{id*}', 'is not /api/ with'],
    ['/api/v1/me{more}', 'is not /api/ with'],
    ['/api/v1/gauges/', 'is not /api/ with'],
    ['/api/v1/orgs/1', 'would get requests for /api/v1/orgs/{id}'],
    ['/api/v1/orgs/{organization}', 'would get requests for /api/v1/orgs/{id}'],
    ['/api/v1/{file}', 'would get requests for /api/v1/orgs'],
    ['/api/{version}/orgs/{id}', 'would get requests for /api/v1/orgs/{id}'],
    ['/api/v1/gauges/{id}', 'would get requests for /api/v1/gauges/{name}'],
    ['/api/v1/gauges/main', 'would get requests for /api/v1/gauges/{name}'],
  ])('cannot take requests of pages, built-in routes or other extensions: %s', async (path, why) => {
    const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => [name, z.string()]);
    const route = defineRoute({ ...ANYWHERE, path, params: Object.fromEntries(names) });
    const other = handleRoute(route, { handle: () => ok(7), toBody: (value) => value });
    await expect(serveExtensions([handled], [other])).rejects.toThrow(`getElsewhere: ${path} ${why}`);
    await expect(serveExtensions([other], [handled])).rejects.toThrow(TypeError);
  });

  it('share a path by method, and one extension has words beside a parameter', async () => {
    const [put, main, second] = (
      [
        {
          ...ANYWHERE,
          operationId: 'putGauge',
          method: 'PUT',
          path: '/api/v1/gauges/{name}',
          params: { name: z.string() },
        },
        { ...ANYWHERE, operationId: 'getMain', path: '/api/v1/gauges/main' },
        { ...ANYWHERE, operationId: 'getSecond', path: '/api/v1/gauges/{id}', params: { id: z.string() } },
      ] as const
    ).map((route) => handleRoute(defineRoute(route), { handle: () => ok(8), toBody: (value) => value }));
    if (!put || !main || !second) return expect.fail();
    const beside = await serveExtensions([handled], [put]);
    expect((await beside.ask('/api/v1/gauges/fine')).json).toBe(7);
    expect((await beside.ask('/api/v1/gauges/fine', { method: 'PUT' })).json).toBe(8);
    const within = await serveExtensions([handled, main]);
    expect((await within.ask('/api/v1/gauges/fine')).json).toBe(7);
    expect((await within.ask('/api/v1/gauges/main')).json).toBe(8);
    await expect(serveExtensions([handled, second])).rejects.toThrow(
      'would get requests for /api/v1/gauges/{id}',
    );
  });
});
