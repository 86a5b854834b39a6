import { connect } from './server.ts';
import { MAX_STALENESS_MS, type Server, type World } from './world.ts';

/** PostgreSQL signals a change that readers see within 5 s. The argument assumes it (docs/adr/0080-a-stream-that-proves-it-is-complete.md). */
const SIGNALLED_WITHIN_MS = 4500;

/** A server's virtual machine is paused. Everything else goes on. */
export function pauseServer(world: World, server: Server, ms: number): void {
  pass(world, ms);
  server.monotonic -= ms * server.rate;
}

function serversGoOn({ servers }: World, ms: number): void {
  for (const server of servers) server.monotonic += ms * server.rate;
}

/** Some things happen by themselves in time. New connections show within the bound which server is the primary (ADR 53). */
function settle({ servers, primary, time, failedOverAt }: World): void {
  if (failedOverAt !== undefined && time - failedOverAt >= MAX_STALENESS_MS) {
    for (const server of servers) if (server.pool !== primary) connect(server, primary);
  }
  for (const { signalled, visibleAt } of primary.changes) {
    if (time - visibleAt >= SIGNALLED_WITHIN_MS) signalled.fill(true);
  }
}

export function pass(world: World, ms: number): void {
  world.time += ms;
  world.clock.monotonic += ms * world.rate;
  world.clock.wall += ms * world.rate;
  serversGoOn(world, ms);
  settle(world);
}

/** A step of the wall clock can hide a suspension. Then nothing on this machine shows the time that was lost. */
function noteHidden(world: World): void {
  const isHidden = Math.abs(world.suspendedAt - world.steppedAt) < 10_500;
  if (isHidden) world.stoodStill = { until: world.time, provenAfterMs: undefined };
}

/** The verifier's machine sleeps, and its monotonic clock with it. */
export function suspend(world: World, ms: number): void {
  world.suspendedAt = world.time;
  noteHidden(world);
  world.time += ms;
  world.clock.wall += ms;
  serversGoOn(world, ms);
  settle(world);
}

/** The verifier's virtual machine is paused, and both of its clocks with it. */
export function pause(world: World, ms: number): void {
  world.time += ms;
  serversGoOn(world, ms);
  world.stoodStill = { until: world.time, provenAfterMs: undefined };
  settle(world);
}

export function stepWallClock(world: World, ms: number): void {
  world.steppedAt = world.time;
  noteHidden(world);
  world.clock.wall += ms;
}
