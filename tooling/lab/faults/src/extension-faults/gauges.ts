import { defineExtension } from '@gatehouse/extension-kit';
import { authorized, defineRule, type ExtensionPorts, ok } from '@gatehouse/extension-kit/domain';
import { defineRoute, handleRoute } from '@gatehouse/extension-kit/http';
import { definePostgresLayer, type ExtensionDatabase, sql } from '@gatehouse/extension-kit/postgres';
import { z } from 'zod';

// An extension with every fault that one can have, for the processes of tests: a request chooses the fault.

/** The text of the thrown error: no response may contain it. */
export const SECRET = 'the gauge of press 4 is stuck';

/** With this in its environment, a process has the second migration without its mistake. */
const MENDED = 'GAUGES_MENDED';
export const mended = { [MENDED]: 'yes' };

export const GAUGE_FAULTS = ['none', 'thrown', 'never_settles', 'slow_statement', 'held_connection'] as const;

type GaugeFault = (typeof GAUGE_FAULTS)[number];

const READ_GAUGES = defineRule('gauges:read', { scope: 'gauges:read', users: 'members', operator: true });

type Store = ReturnType<typeof createStore>;

function createStore({ queries, change }: ExtensionDatabase<{ 'gauges.gauges': { value: number } }>) {
  return {
    /** Waits for the table as long as any statement may. */
    read: () => queries.selectFrom('gauges.gauges').selectAll().execute(),
    /** Begins a transaction that is not ended. */
    hold: () => change(() => new Promise<never>(() => undefined)),
  };
}

const layer = definePostgresLayer({
  migrations: {
    '0001-init': {
      up: async (db) => void (await sql`create table gauges.gauges (value int)`.execute(db)),
    },
    '0002-broken': {
      async up(db) {
        await sql`create table gauges.half (value int)`.execute(db);
        if (process.env[MENDED] === undefined) await sql`create table gauges.gauges (value int)`.execute(db);
      },
    },
  },
  belongings: [],
  createStore,
});

const readGauge = authorized(
  READ_GAUGES,
  ({ store }: ExtensionPorts<Store>) =>
    async (_, fault: GaugeFault) => {
      if (fault === 'thrown') throw new Error(SECRET);
      if (fault === 'never_settles') return new Promise<never>(() => undefined);
      if (fault === 'slow_statement') await store.read();
      if (fault === 'held_connection') await store.hold();
      return ok((await store.read()).length);
    },
);

const getGauge = defineRoute({
  operationId: 'getGauge',
  method: 'GET',
  path: '/api/v1/gauges/{fault}',
  tag: 'Gauges',
  summary: 'Read a gauge',
  rule: READ_GAUGES,
  params: { fault: z.enum(GAUGE_FAULTS) },
  success: { status: 200, description: 'The value.', body: z.number(), cacheControl: 'no-store' },
});

export const gauges = defineExtension({
  name: 'gauges',
  scopes: { 'gauges:read': { label: 'Read gauges', allows: 'All gauges.' } },
  rules: [READ_GAUGES],
  domain: async () => ({
    createUseCases: (ports: ExtensionPorts<Store>) => ({ readGauge: readGauge(ports) }),
  }),
  postgres: async () => layer,
  http: async () => ({
    routes: [getGauge],
    serve: (useCases: { readGauge: ReturnType<typeof readGauge> }) => [
      handleRoute(getGauge, {
        handle: ({ caller, params }) => useCases.readGauge(caller, params.fault),
        toBody: (value) => value,
      }),
    ],
  }),
  testing: () => Promise.reject(new Error('it has no suites')),
});
