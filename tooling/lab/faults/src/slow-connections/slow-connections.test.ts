import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isFullSize, none, recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import { type ServerNode, type Settings, startNode } from '../stage/node.ts';
import { openPopulated } from '../stage/population.ts';
import { percentile, startReader } from '../stage/reader.ts';
import { sabotage } from '../stage/sabotage.ts';
import { attackSlowly, hasSlowhttptest, type Slowness } from './slowhttptest.ts';

const SIZE = sized<{ connections: number; ways: readonly Slowness[]; idleMs: number }>({
  short: { connections: 300, ways: ['headers'], idleMs: 1000 },
  full: { connections: 5000, ways: ['headers', 'body', 'reading'], idleMs: 10_000 },
});
const ATTACK_SECONDS = 30;
const TIMEOUT_MS = 60_000 + SIZE.ways.length * 60_000;
/** The time within which slow headers must be cut off, in seconds. */
const CUT_WITHIN_S = 10;
/** There are no time limits for requests. */
const SABOTAGE = sabotage(
  {
    file: '/front/src/protect.ts',
    find: 'headersTimeout: timeLimits.headers,',
    replace: 'headersTimeout: 0,',
  },
  {
    file: '/front/src/protect.ts',
    find: 'requestTimeout: timeLimits.request,',
    replace: 'requestTimeout: 0,',
  },
);

if (!hasSlowhttptest) recordSkip('O3', 'slowhttptest is not installed (apt-get install slowhttptest)');

async function openScene(more: Settings = {}) {
  await using ending = new AsyncDisposableStack();
  // All of them have one address.
  const database = ending.use(await openPopulated({ MAX_CONNECTIONS_PER_ADDRESS: '10000' }));
  const { settings, token, path } = database;
  const node = ending.use(await startNode({ ...settings, ...more }));
  const kept = ending.move();
  return {
    node,
    read: () => startReader({ url: `${node.url}${path}`, token, everyMs: 5 }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Measures how long a connection stays open that sends one header line a second, in seconds, up to a limit. */
async function lifeOfSlowHeaders({ url }: ServerNode, atMostS: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // Any error ends the connection.
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  const since = performance.now();
  const closed = once(socket, 'close');
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n');
  const dripping = setInterval(() => socket.write('X-Slow: x\r\n'), 1000);
  await Promise.race([closed, delay(atMostS * 1000)]);
  clearInterval(dripping);
  socket.destroy();
  return (performance.now() - since) / 1000;
}

// Not concurrent, although they mostly wait: their times must not affect each other.
(isFullSize ? describe : describe.concurrent)('connections whose clients are slow on purpose', () => {
  test.skipIf(!hasSlowhttptest)(
    `${SIZE.connections} of them, slow with ${SIZE.ways.join(', ')}, do not affect a healthy client`,
    {
      timeout: TIMEOUT_MS,
    },
    async () => {
      await using scene = await openScene();
      const alone = await scene.read();
      await delay(SIZE.idleMs);
      const idle = await alone.stop();
      const idleP99 = percentile(idle.took, 0.99);
      for (const how of SIZE.ways) {
        const reader = await scene.read();
        const life = lifeOfSlowHeaders(scene.node, 2 * CUT_WITHIN_S);
        const attack = { connections: SIZE.connections, how, seconds: ATTACK_SECONDS };
        const attacked = await attackSlowly(scene.node.url, attack);
        const { took, failures } = await reader.stop();
        const p99 = percentile(took, 0.99);
        const cutAfter = await life;
        recordFigures('O3', [
          {
            name: `slow with ${how}: opened, finished after`,
            measured: `${attacked.opened}, ${attacked.seconds} s`,
          },
          none('reads meanwhile, not answered', failures.length, took.length),
          {
            name: `p99 of reads before, meanwhile`,
            measured: `${idleP99.toFixed(1)} ms, ${p99.toFixed(1)} ms`,
            bar: `≤ ${(2 * idleP99).toFixed(1)} ms`,
            holds: p99 <= 2 * idleP99,
          },
          {
            name: 'slow headers cut after',
            measured: `${cutAfter.toFixed(1)} s`,
            bar: `≤ ${CUT_WITHIN_S} s`,
            holds: cutAfter <= CUT_WITHIN_S,
          },
        ]);
        expect(failures).toEqual([]);
        expect(took.length).toBeGreaterThan(0);
        // A lower number would not be an attack.
        expect(attacked.opened).toBeGreaterThan(SIZE.connections / 2);
        // A busy machine is late, but the server still cuts the client off.
        expect(cutAfter).toBeLessThan(2 * CUT_WITHIN_S);
      }
    },
  );

  test('keep their connections, and are detected, without time limits', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using scene = await openScene(SABOTAGE);
    expect(await lifeOfSlowHeaders(scene.node, CUT_WITHIN_S + 1)).toBeGreaterThan(CUT_WITHIN_S);
  });
});
