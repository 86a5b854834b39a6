import type { Action } from './action.ts';
import { change, learn, linger, round, stream } from './everyday-actions.ts';
import { CHANGES, TOKENS } from './facts.ts';
import { promoted } from './primary.ts';
import { PROXIES } from './proxies.ts';
import { connect, restart, sendHeartbeat } from './server.ts';
import { pass, pause, pauseServer, stepWallClock, suspend } from './time.ts';
import { close, deliverAll } from './wire.ts';
import { RATES, type Server, type World } from './world.ts';

const serverOf = ({ servers }: World, index: number) => servers[index] as Server;

function failOver(world: World): void {
  if (world.failedOverAt !== undefined) return;
  world.failedOverAt = world.time;
  world.primary = promoted(world.primary);
}

/** A server learns which database server is the primary. */
function notice(world: World, index: number): void {
  const server = serverOf(world, index);
  if (server.pool !== world.primary) connect(server, world.primary);
}

/** Things that fail. */
export const FAULTS: Record<string, Action> = {
  ...PROXIES,
  cut: {
    weight: 1,
    most: 2,
    act(world, index) {
      const wire = world.wires[index];
      if (wire) close(world, wire);
    },
  },
  'fail over': { weight: 1, most: 0, act: failOver },
  /** One server knows the new primary, where a change is made; the other one still asks the old primary. */
  'split brain': {
    weight: 1,
    most: CHANGES.length - 1,
    act(world, index) {
      failOver(world);
      notice(world, 0);
      change(world, index);
      round(world, [serverOf(world, 0)], 0);
      learn(world, index % TOKENS, 1);
    },
  },
  notice: { weight: 1, most: 1, act: notice },
  'lose the feed': {
    weight: 1,
    most: 1,
    act: (world, index) => connect(serverOf(world, index), serverOf(world, index).feed),
  },
  restart: { weight: 1, most: 1, act: (world, index) => restart(world, serverOf(world, index)) },
  /** A change is made just before a server restarts, and its new process is asked for a stream. */
  'change and restart': {
    weight: 1,
    most: CHANGES.length * 2 - 1,
    act(world, value) {
      change(world, value >> 1);
      restart(world, serverOf(world, value % 2));
      stream(world, serverOf(world, value % 2));
    },
  },
  /** The database is slow to return a heartbeat, and to send what changed before it. */
  'a slow heartbeat': {
    weight: 2,
    least: 20,
    most: 900,
    act(world, ms) {
      change(world, ms % CHANGES.length);
      pass(world, ms);
      for (const server of world.servers) sendHeartbeat(world, server);
      for (const wire of [...world.wires]) deliverAll(world, wire);
      linger(world, ms % TOKENS);
    },
  },
  'pause a server': {
    weight: 1,
    least: 20,
    most: 5000,
    act: (world, ms) => pauseServer(world, serverOf(world, ms % 2), ms),
  },
  /** A clock is made faster or slower. */
  slew: {
    weight: 2,
    most: 3 * RATES.length - 1,
    act(world, value) {
      const clock = [world, ...world.servers][value % 3] as { rate: number };
      clock.rate = RATES[Math.floor(value / 3)] as number;
    },
  },
  suspend: { weight: 1, least: 200, most: 5000, act: suspend },
  pause: { weight: 1, least: 200, most: 3000, act: pause },
  /** Long enough for streams to begin after what the verifier was told. */
  'pause for long': { weight: 2, least: 9000, most: 12_000, act: pause },
  'step the wall clock': { weight: 1, least: -5000, most: 5000, act: stepWallClock },
  "step a server's wall clock": {
    weight: 1,
    least: -5000,
    most: 5000,
    act(world, ms) {
      serverOf(world, Math.abs(ms) % 2).skew += ms;
    },
  },
};
