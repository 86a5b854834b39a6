import { setTimeout as delay } from 'node:timers/promises';
import { defineExtension, defineRefusals, type HappenedEvent } from '@gatehouse/extension-kit';
import {
  authorized,
  defineRule,
  type ExtensionPorts,
  eventBy,
  eventOf,
  ok,
} from '@gatehouse/extension-kit/domain';
import { definePostgresLayer, type ExtensionDatabase, sql } from '@gatehouse/extension-kit/postgres';

// An extension whose reactions and guard have every fault that they can have, for the processes of tests.

/** The address to which the reaction `tell` posts each event. */
export const RECEIVER = 'ALARMS_RECEIVER';
/** The reaction that has a fault: `throw`, `never-settle` or `flood`. Each waits for new organizations. */
export const FAULTS = ['throw', 'never-settle', 'flood'] as const;
/** How many events the reaction `flood` causes for each that it gets. */
export const FLOOD = 200;
/** More of them at once are refused: no more statements of an extension may wait for a connection. */
const AT_ONCE = 50;

/** Organizations whose names begin so are decided by a fault of the guard. */
export const GUARD_FAULTS = { throws: 'Throws', hangs: 'Hangs', forbids: 'Forbids' } as const;

const REFUSALS = defineRefusals({
  alarms_forbidden: { status: 409, title: 'An alarm is on.', exit: 'conflict' },
});
const RING = defineRule('alarms:ring', { users: 'none', operator: true });

type Store = ReturnType<typeof createStore>;

const createStore = ({ change }: ExtensionDatabase<unknown>) => ({
  ring: (event: Parameters<Parameters<Parameters<typeof change>[0]>[1]>[0]) =>
    change(async (tx, record) => {
      await sql`insert into alarms.alarms (at) values (now())`.execute(tx);
      await record(event);
    }),
});

const ring = authorized(RING, ({ store, clock }: ExtensionPorts<Store>) => async (caller, id: number) => {
  await store.ring(eventBy(caller, eventOf(clock.now(), 'alarm.rung', { id }, {})));
  return ok(undefined);
});

async function tell({ position, accountId, action, details }: HappenedEvent, signal: AbortSignal) {
  const body = JSON.stringify({ position, accountId, action, name: details.name ?? null });
  const response = await fetch(process.env[RECEIVER] ?? '', { method: 'POST', body, signal });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the receiver answered ${response.status}`);
}

export const alarms = defineExtension({
  name: 'alarms',
  rules: [RING],
  actions: { 'alarm.rung': 'rang the alarm' },
  refusals: REFUSALS,
  domain: async () => ({ createUseCases: (ports: ExtensionPorts<Store>) => ({ ring: ring(ports) }) }),
  postgres: async () =>
    definePostgresLayer({
      migrations: {
        '0001-init': {
          up: async (db) => void (await sql`create table alarms.alarms (at timestamptz)`.execute(db)),
        },
      },
      belongings: [],
      createStore,
    }),
  reactions: [
    {
      name: 'tell',
      on: ['organization.created'],
      handle: (event, { signal }) => tell(event, signal),
    },
    {
      name: 'throw',
      on: ['organization.created'],
      handle: () => Promise.reject(new Error('the alarm is broken')),
    },
    {
      name: 'never-settle',
      on: ['organization.created'],
      handle: () => new Promise(() => undefined),
    },
    {
      name: 'flood',
      on: ['organization.created'],
      async handle(_, { useCases, caller }) {
        for (let begun = 0; begun < FLOOD; begun += AT_ONCE)
          await Promise.all(
            Array.from({ length: AT_ONCE }, (_each, index) => useCases.ring(caller, index + 1)),
          );
      },
    },
  ],
  guards: [
    {
      on: 'organization.create',
      refusals: [REFUSALS.alarms_forbidden],
      async check({ name }) {
        if (name.startsWith(GUARD_FAULTS.throws)) throw new Error('the guard is broken');
        if (name.startsWith(GUARD_FAULTS.hangs)) await delay(60_000, undefined, { ref: false });
        return name.startsWith(GUARD_FAULTS.forbids) ? REFUSALS.alarms_forbidden : undefined;
      },
    },
  ],
  testing: () => Promise.reject(new Error('it has no suites')),
});
