import type { Action } from './action.ts';
import { CHANGES, TOKENS } from './facts.ts';
import { commit } from './primary.ts';
import { abandon, ask, join, proceed } from './questions.ts';
import { hear, returnHeartbeat, sendHeartbeat } from './server.ts';
import { accept, deliver, deliverAll, open } from './wire.ts';
import type { Asked, Server, Wire, World } from './world.ts';

const toServer = (act: (world: World, server: Server) => void) => (world: World, index: number) =>
  act(world, world.servers[index] as Server);

const toWire = (act: (world: World, wire: Wire) => void) => (world: World, index: number) => {
  const wire = world.wires[index];
  if (wire) act(world, wire);
};

const toAsked = (act: (world: World, asked: Asked) => void) => (world: World, index: number) => {
  const asked = world.asked[index];
  if (asked) act(world, asked);
};

/** The same in single steps, which overlap. */
export const SINGLE_STEPS: Record<string, Action> = {
  refresh: {
    weight: 1,
    most: 1,
    act: (world, server) =>
      ask(
        world,
        0,
        server,
        Array.from({ length: TOKENS }, (_, token) => token),
      ),
  },
  ask: { weight: 2, most: TOKENS * 2 - 1, act: (world, value) => ask(world, value >> 1, value % 2) },
  proceed: { weight: 5, most: 2, act: toAsked(proceed) },
  join: { weight: 2, most: 2, act: toAsked(join) },
  abandon: { weight: 1, most: 2, act: toAsked(abandon) },
  commit: {
    weight: 2,
    most: CHANGES.length - 1,
    act: ({ primary, time, servers }, index) =>
      commit(primary, CHANGES[index] as (typeof CHANGES)[number], time, servers.length),
  },
  signal: {
    weight: 4,
    most: 1,
    act({ primary }, server) {
      const next = primary.changes.find(({ signalled }) => !signalled[server]);
      if (next) next.signalled[server] = true;
    },
  },
  /** A change is acknowledged after all listeners were signalled. */
  acknowledge: {
    weight: 2,
    most: 2,
    act({ primary, time }, index) {
      const ready = primary.changes.filter(
        ({ signalled, acknowledgedAt }) => acknowledgedAt > time && signalled.every(Boolean),
      );
      const next = ready[Math.min(index, ready.length - 1)];
      if (next) next.acknowledgedAt = time;
    },
  },
  hear: { weight: 2, most: 1, act: toServer((_, server) => hear(server, server.heard + 1)) },
  'send a heartbeat': { weight: 2, most: 1, act: toServer(sendHeartbeat) },
  'return a heartbeat': { weight: 2, most: 1, act: toServer(returnHeartbeat) },
  open: { weight: 2, most: 1, act: toServer((world, server) => open(world, server)) },
  accept: {
    weight: 3,
    most: 2,
    act(world, index) {
      const waiting = world.wires.filter(({ isAccepted, isSubscribed }) => !isAccepted || !isSubscribed);
      const wire = waiting[Math.min(index, waiting.length - 1)];
      if (wire) accept(world, wire);
    },
  },
  deliver: { weight: 4, most: 2, act: toWire(deliver) },
  'deliver all': { weight: 3, most: 2, act: toWire(deliverAll) },
};
