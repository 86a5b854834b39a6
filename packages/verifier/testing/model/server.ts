import { handleOf } from './facts.ts';
import { type Primary, signalledTo } from './primary.ts';
import { close, write } from './wire.ts';
import type { Heartbeat, Server, World } from './world.ts';

function tell(server: Server, handles: readonly string[] | 'all'): void {
  const isTold = (handle: string) => server.kinds.includes(handle.split(':')[0] as string);
  const told = handles === 'all' ? handles : handles.filter(isTold);
  server.recent.push({ at: server.monotonic, handles: told });
  for (const wire of server.wires) if (wire.isSubscribed) write(wire, { changed: told });
}

/** Hears the next changes that were signalled, up to this number. */
export function hear(server: Server, upTo: number): void {
  while (server.heard < upTo) {
    const next = server.feed.changes[server.heard];
    if (!next?.signalled[server.index]) return;
    server.heard += 1;
    tell(server, [handleOf(next.change)]);
  }
}

/** Listens to a primary from now on. Earlier signals are not heard, so everything may have changed. */
export function connect(server: Server, to: Primary): void {
  server.feed = to;
  server.pool = to;
  server.heartbeat = undefined;
  server.heard = signalledTo(server.index, to);
  tell(server, 'all');
}

/** The process ends, and a new one has another monotonic clock and has heard nothing. */
export function restart(world: World, server: Server): void {
  for (const wire of [...server.wires]) close(world, wire);
  server.monotonic = 1000;
  server.recent = [];
  connect(server, world.primary);
  server.recent = [];
  server.since = server.monotonic;
}

/** Sends a heartbeat. Its own return proves what was heard. */
export function sendHeartbeat({ time, planted }: World, server: Server): void {
  if (server.heartbeat) return;
  const { feed, monotonic, index } = server;
  server.heartbeat = { heard: monotonic, sentAt: time, signalled: signalledTo(index, feed), of: feed };
  if (planted.provesByTimer) prove(server, server.heartbeat);
}

export function returnHeartbeat({ planted }: World, server: Server): void {
  const { heartbeat } = server;
  server.heartbeat = undefined;
  if (!heartbeat || heartbeat.of !== server.feed) return;
  hear(server, heartbeat.signalled);
  if (!planted.provesByTimer) prove(server, heartbeat);
}

function prove(server: Server, { heard, of, sentAt }: Heartbeat): void {
  const proof = { heard, time: sentAt + server.skew, position: 0, database: of.name };
  for (const wire of server.wires) if (wire.isAccepted) write(wire, { at: sentAt, proof });
}
