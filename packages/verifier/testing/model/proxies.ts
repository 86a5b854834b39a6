import type { Action } from './action.ts';
import { change, linger, round } from './everyday-actions.ts';
import { CHANGES } from './facts.ts';
import { hear, returnHeartbeat, sendHeartbeat } from './server.ts';
import { pass } from './time.ts';
import { accept, close, deliverAll, open } from './wire.ts';
import type { Server, Wire, World } from './world.ts';

/** A proof arrives late. Just after its heartbeat, a change was acknowledged that the verifier is not told. */
function holdBack(world: World, ms: number): void {
  for (const server of world.servers) sendHeartbeat(world, server);
  for (const server of world.servers) returnHeartbeat(world, server);
  change(world, ms % CHANGES.length);
  pass(world, ms);
  for (const wire of [...world.wires]) deliverAll(world, wire);
  linger(world, ms % 2);
}

/** A second request is answered with the stream of the first. */
function answerWith(world: World, first: Wire): void {
  first.mirrors.push(open(world, first.server, first.written));
}

/** Proxies between a verifier and the servers do this wrong. */
export const PROXIES: Record<string, Action> = {
  'hold back': { weight: 4, least: 20, most: 980, act: holdBack },
  swallow: { weight: 1, most: 2, act: ({ wires }, index) => void wires[index]?.queue.shift() },
  swap: {
    weight: 1,
    most: 2,
    act({ wires }, index) {
      const queue = wires[index]?.queue;
      const next = queue?.shift();
      if (next) queue?.splice(1, 0, next);
    },
  },
  /** A change is swallowed on every connection, and nothing else. */
  'swallow a change': {
    weight: 1,
    most: CHANGES.length - 1,
    act(world, index) {
      for (const wire of [...world.wires]) deliverAll(world, wire);
      change(world, index);
      for (const server of world.servers) hear(server, server.feed.changes.length);
      for (const { queue } of world.wires) queue.length = 0;
    },
  },
  /** Connections are cut, and something changes while the next stream opens. */
  'cut and change': {
    weight: 2,
    most: CHANGES.length - 1,
    act(world, index) {
      for (const wire of [...world.wires]) close(world, wire);
      const server = world.servers[index % 2] as Server;
      const wire = open(world, server);
      pass(world, 5 + world.delay);
      accept(world, wire);
      change(world, index);
      hear(server, server.feed.changes.length);
      accept(world, wire);
      round(world, [server], 0);
    },
  },
  /** A proxy answers with the recording of an earlier stream. */
  replay: {
    weight: 1,
    most: 2,
    act(world, index) {
      const lines = world.recorded[index];
      if (lines) open(world, world.servers[0] as Server, lines);
    },
  },
  'join streams': {
    weight: 1,
    most: 2,
    act(world, index) {
      const first = world.wires[index];
      if (first?.isAccepted) answerWith(world, first);
    },
  },
  /** Two requests for streams are joined, and then held back for longer than they were apart. */
  'join and hold back': {
    weight: 1,
    least: 20,
    most: 400,
    act(world, ms) {
      const first = open(world, world.servers[ms % 2] as Server);
      accept(world, first);
      pass(world, ms);
      answerWith(world, first);
      holdBack(world, ms * 2);
    },
  },
};
