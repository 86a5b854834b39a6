import { type Line, MAX_STALENESS_MS, type Server, type Wire, type World } from './world.ts';

const REPLAY_MS = 10_000;

/** The verifier sends its request, or a proxy answers it with recorded lines. A verifier has at most three streams. */
export function open(world: World, server: Server, recorded?: readonly Line[]): Wire {
  world.nonces += 1;
  const nonce = `nonce ${world.nonces}`;
  const wire: Wire = {
    server,
    nonce,
    openedAt: world.time,
    reader: world.knowledge.open(nonce),
    queue: [...(recorded ?? [])],
    written: [],
    mirrors: [],
    earlyNow: server.monotonic - 400,
    isAccepted: recorded !== undefined,
    isSubscribed: false,
    isOver: false,
  };
  world.wires.push(wire);
  if (world.wires.length > 3) close(world, world.wires[0] as Wire);
  return wire;
}

export function write(wire: Wire, line: Line): void {
  if (wire.isOver) return;
  const numbered =
    'proof' in line ? { ...line, proof: { ...line.proof, position: wire.written.length } } : line;
  wire.written.push(numbered);
  for (const each of [wire, ...wire.mirrors]) each.queue.push(numbered);
}

/** The request arrives, and the server subscribes, says hello, and tells what it heard before. */
export function accept({ planted }: World, wire: Wire): void {
  if (wire.isOver || wire.isAccepted) {
    wire.isSubscribed ||= wire.isAccepted && wire.server.wires.includes(wire);
    return;
  }
  const { server, nonce, earlyNow } = wire;
  const least = server.monotonic - REPLAY_MS;
  const replayFrom = planted.claimsWholeReplay ? least : Math.max(least, server.since);
  wire.isAccepted = true;
  wire.isSubscribed = !planted.subscribesLate;
  server.wires.push(wire);
  const now = planted.readsNowEarly ? earlyNow : server.monotonic;
  const { kinds, feed } = server;
  const hello = { nonce, now, replayFrom, maxStalenessMs: MAX_STALENESS_MS, kinds, database: feed.name };
  write(wire, { hello });
  if (planted.replaysNothing) return;
  for (const { at, handles } of server.recent) if (at >= replayFrom) write(wire, { changed: handles });
}

/** The next line arrives. */
export function deliver(world: World, wire: Wire): void {
  const line = wire.queue.shift();
  if (!line || wire.isOver) return;
  const { stoodStill } = world;
  if (!read(wire, line)) close(world, wire);
  else if (stoodStill && 'proof' in line && line.at >= stoodStill.until) {
    stoodStill.provenAfterMs = world.time - line.at;
  }
}

function read({ reader }: Wire, line: Line): boolean {
  if ('hello' in line) return reader.hello(line.hello);
  if ('changed' in line) return reader.changed(line.changed);
  return reader.proof(line.proof);
}

export function deliverAll(world: World, wire: Wire): void {
  while (wire.queue.length > 0 && !wire.isOver) deliver(world, wire);
}

export function close(world: World, wire: Wire): void {
  wire.reader.end();
  wire.isOver = true;
  world.recorded.push(wire.written);
  wire.server.wires = wire.server.wires.filter((other) => other !== wire);
  world.wires = world.wires.filter((other) => other !== wire);
}
