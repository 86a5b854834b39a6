import { atMost, none, recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { freePorts } from '@gatehouse/test-database';
import { describe, expect, test } from 'vitest';
import {
  type Backend,
  CHECK_EVERY_MS,
  type HaproxyOptions,
  hasHaproxy,
  startHaproxy,
} from '../stage/haproxy.ts';
import { type ServerNode, type Settings, startNode } from '../stage/node.ts';
import { openPopulated } from '../stage/population.ts';
import { startSteadyLoad } from '../stage/steady-load.ts';

const NODES = 3;
const RATE = 2_000;
const SIZE = sized({ short: { rounds: 2 }, full: { rounds: 100 } });
/** A server can be killed at a moment when none of its requests is in flight. */
const MAX_KILLS = 30;
const ROUND_LIMIT_MS = 20_000;
const KILLS_LIMIT = { timeout: MAX_KILLS * ROUND_LIMIT_MS };

/** haproxy repeats reads on another server, which would hide what a server loses. */
const withoutRepeats = (configuration: string) => configuration.replace(/^ {2}retry-on .*\n/m, '');

if (!hasHaproxy) recordSkip('S1', 'haproxy is not installed (apt-get install haproxy)');

/** Restarts one server after the other behind haproxy, under a steady rate of requests, until one fails. */
async function rollingRestart(rounds: number, signal: NodeJS.Signals, change?: HaproxyOptions['change']) {
  await using database = await openPopulated();
  const { settings, path, token } = database;
  const ports = await freePorts(2 * NODES + 1);
  const backends = Array.from({ length: NODES }, (_, index) => ({
    port: ports[2 * index] as number,
    opsPort: ports[2 * index + 1] as number,
  }));
  await using stack = new AsyncDisposableStack();
  const nodes: ServerNode[] = [];
  stack.defer(async () => void (await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))));
  for (const [index, backend] of backends.entries())
    nodes.push(await startNode(at(settings, backend, index)));
  await using proxy = await startHaproxy(ports.at(-1) as number, backends, { change });
  await proxy.untilUp(NODES);

  const load = startSteadyLoad(`${proxy.url}${path}`, token, RATE);
  const ends: { status: number | NodeJS.Signals; ms: number }[] = [];
  for (let round = 0; round < rounds && !load.hasFailed(); round += 1) {
    const index = round % NODES;
    const asked = performance.now();
    nodes[index]?.process.kill(signal);
    ends.push({ status: (await nodes[index]?.ended) ?? -1, ms: performance.now() - asked });
    nodes[index] = await startNode(at(settings, backends[index] as Backend, round));
    await proxy.untilUp(NODES);
  }
  return { ends, ...(await load.stop()) };
}

/** Every second server has `CI` set, because some libraries behave differently with it. */
function at(settings: Settings, { port, opsPort }: Backend, turn: number): Settings {
  return {
    ...settings,
    PORT: String(port),
    OPS_PORT: String(opsPort),
    DRAIN_DELAY_MS: String(5 * CHECK_EVERY_MS),
    ...(turn % 2 === 1 && { CI: 'true' }),
  };
}

describe.skipIf(!hasHaproxy)('servers that are restarted one after the other behind haproxy', () => {
  test(`fail no request in ${SIZE.rounds} restarts, and exit regularly`, {
    timeout: (SIZE.rounds + 3) * ROUND_LIMIT_MS,
  }, async () => {
    const { ends, sent, failed } = await rollingRestart(SIZE.rounds, 'SIGTERM', withoutRepeats);
    const slowest = Math.max(...ends.map(({ ms }) => ms));
    const disorderly = ends.filter(({ status }) => status !== 0);
    recordFigures('S1', [
      { name: 'restarts', measured: String(ends.length) },
      { name: 'requests', measured: String(sent) },
      none('failed requests', failed),
      none('exits with a status other than 0', disorderly.length),
      atMost('longest shutdown', slowest, 10_000),
    ]);
    expect(disorderly).toEqual([]);
    expect(failed).toBe(0);
    expect(sent).toBeGreaterThan(0);
  });

  test('fail no read when they are killed: haproxy repeats it on another', KILLS_LIMIT, async () => {
    const { failed, sent } = await rollingRestart(SIZE.rounds, 'SIGKILL');
    expect(failed).toBe(0);
    expect(sent).toBeGreaterThan(0);
  });

  test('fail requests, and are detected, without draining and repeats', KILLS_LIMIT, async () => {
    const { failed } = await rollingRestart(MAX_KILLS, 'SIGKILL', withoutRepeats);
    expect(failed).toBeGreaterThan(0);
  });
});
