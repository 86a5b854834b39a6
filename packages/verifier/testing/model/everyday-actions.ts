import type { Action } from './action.ts';
import { CHANGES, TOKENS } from './facts.ts';
import { commit } from './primary.ts';
import { ask, join, proceed, recall } from './questions.ts';
import { returnHeartbeat, sendHeartbeat } from './server.ts';
import { pass } from './time.ts';
import { accept, deliverAll, open } from './wire.ts';
import type { Server, World } from './world.ts';

/** A heartbeat is sent each 250 ms, and a verifier asks for its next stream after 8 s. */
const HEARTBEAT_MS = 250;
const NEXT_STREAM_MS = 8000;

/** A heartbeat goes around, and every line that waits arrives. */
export function round(world: World, servers: readonly Server[], ms: number): void {
  for (const server of servers) sendHeartbeat(world, server);
  pass(world, ms);
  for (const server of servers) returnHeartbeat(world, server);
  pass(world, world.delay);
  for (const wire of [...world.wires]) deliverAll(world, wire);
}

/** A change is committed, signalled and acknowledged at once. */
export function change(world: World, index: number): void {
  const { primary, time, servers } = world;
  commit(primary, CHANGES[index] as (typeof CHANGES)[number], time, servers.length);
  for (const committed of primary.changes) committed.signalled.fill(true);
  for (const committed of primary.changes)
    if (committed.acknowledgedAt > time) committed.acknowledgedAt = time;
}

export function stream(world: World, server: Server): void {
  const wire = open(world, server);
  pass(world, 5 + world.delay);
  accept(world, wire);
  accept(world, wire);
  round(world, [server], 0);
}

/** A verifier whose streams and introspections go well: it is fresh, and remembers both tokens. */
export function begin(world: World): void {
  stream(world, world.servers[0] as Server);
  for (let token = 0; token < TOKENS; token += 1) learn(world, token, 0);
}

export function learn(world: World, token: number, server: number): void {
  const asked = ask(world, token, server);
  while (asked && world.asked.includes(asked)) proceed(world, asked);
}

export function linger(world: World, token: number): void {
  for (let step = 0; step < 100 && world.knowledge.isFresh(); step += 1) {
    recall(world, token);
    pass(world, 11);
  }
}

/** Time passes in which heartbeats return, and streams follow each other in time. */
function live(world: World, ms: number): void {
  const until = world.time + ms;
  while (world.time < until) {
    const youngest = world.wires.at(-1);
    if (!youngest || world.time - youngest.openedAt > NEXT_STREAM_MS)
      stream(world, world.servers[0] as Server);
    pass(world, HEARTBEAT_MS);
    round(world, world.servers, 0);
  }
}

/** A verifier does this all day. */
export const EVERYDAY: Record<string, Action> = {
  recall: { weight: 14, most: TOKENS - 1, act: recall },
  /** Recalls until knowledge is too old, at each 11 ms. */
  linger: {
    weight: 6,
    most: TOKENS - 1,
    act: linger,
  },
  round: { weight: 14, most: 1, act: (world, server) => round(world, [world.servers[server] as Server], 0) },
  'slow round': { weight: 8, least: 20, most: 900, act: (world, ms) => round(world, world.servers, ms) },
  learn: {
    weight: 8,
    most: TOKENS * 2 - 1,
    act: (world, value) => learn(world, value >> 1, value % 2),
  },
  /** Two requests ask together, and their answer is under way. */
  'learn together': {
    weight: 6,
    most: TOKENS * 2 - 1,
    act(world, value) {
      const asked = ask(world, value >> 1, value % 2);
      if (!asked) return;
      proceed(world, asked);
      proceed(world, asked);
      join(world, asked);
    },
  },
  /** The same, and the answer arrives. */
  share: {
    weight: 4,
    most: TOKENS * 2 - 1,
    act(world, value) {
      const asked = ask(world, value >> 1, value % 2);
      if (!asked) return;
      join(world, asked);
      while (world.asked.includes(asked)) {
        proceed(world, asked);
        pass(world, world.delay);
      }
    },
  },
  stream: { weight: 6, most: 1, act: (world, server) => stream(world, world.servers[server] as Server) },
  change: { weight: 8, most: CHANGES.length - 1, act: change },
  live: { weight: 6, least: 250, most: 9000, act: live },
  pass: { weight: 10, least: 20, most: 400, act: pass },
  'pass longer': { weight: 3, least: 300, most: 1500, act: pass },
  'pass long': { weight: 1, least: 2000, most: 9000, act: pass },
};
