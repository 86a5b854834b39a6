import { err, ok, UnavailableFault } from '@gatehouse/domain';
import { READ_ME } from '@gatehouse/domain/access';
import { defineRefusals } from '@gatehouse/extension-kit';
import { defineRoute, handleRoute, outcomesOf } from '@gatehouse/extension-kit/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Call, call, problemOf } from '../testing/client.ts';
import { apiToken, populate } from '../testing/population.ts';
import { serveWorld } from '../testing/serve-world.ts';
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

/** An extension whose deadline is over at once, for what does not settle by then. */
async function serveGauges(parts: Partial<ExtensionRoutes> = {}) {
  const gauges: ExtensionRoutes = {
    routes: [handled],
    deadline: () => new Promise((_, reject) => setImmediate(reject, new UnavailableFault('too late'))),
    ...parts,
  };
  const served = await serveWorld({ replace: () => ({ extensions: [gauges] }) });
  onTestFinished(() => served[Symbol.asyncDispose]());
  const { admin } = await populate(served.world);
  const { secret: token } = await apiToken(served.world, admin);
  return {
    ...served,
    ask: (path: string, request: Call = {}) => call(served.url, path, { token, ...request }),
  };
}

describe('the routes of an extension', () => {
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
});
