import { setTimeout as delay } from 'node:timers/promises';
import { isFullSize, none, recordFigures, sized } from '@gatehouse/fault-figures';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServerNode, startNode } from '../stage/node.ts';
import { openPopulated, type PopulatedDatabase } from '../stage/population.ts';
import { percentile, startReader } from '../stage/reader.ts';
import { sabotage } from '../stage/sabotage.ts';
import { type PipeliningAttack, pipeline } from './attack.ts';
import { highestGrowthMb } from './memory.ts';

interface Attack extends PipeliningAttack {
  readonly name: string;
}

/** Slow enough that the responses take minutes. */
const SLOWLY = 2_000;
/** The number of requests that a connection may have unanswered, so none is closed because of them. */
const ALLOWED = 33;

const SIZE = sized<{ attacks: readonly Attack[]; holdMs: number; idleMs: number }>({
  short: {
    attacks: [{ name: '300 connections of 64 KiB each, never read', connections: 300, readsPerSecond: 0 }],
    holdMs: 1_500,
    idleMs: 500,
  },
  full: {
    attacks: [
      { name: '1,500 connections of 64 KiB each, never read', connections: 1_500, readsPerSecond: 0 },
      { name: '100 connections of 64 KiB each, never read', connections: 100, readsPerSecond: 0 },
      { name: '100 connections of 64 KiB each, read slowly', connections: 100, readsPerSecond: SLOWLY },
      { name: '60 connections of 64 KiB each, read slowly', connections: 60, readsPerSecond: SLOWLY },
      {
        name: '200 connections of 33 requests each, read slowly',
        connections: 200,
        requests: ALLOWED,
        readsPerSecond: SLOWLY,
      },
    ],
    // Longer than a client may pause reading.
    holdMs: 30_000,
    idleMs: 10_000,
  },
});
const GROWTH_MB = 200;
/** The growth at which an attack has succeeded. */
const ENOUGH_MB = 250;
/** There are no limits. */
const SABOTAGE = sabotage(
  { file: '/front/src/pipelining.ts', find: 'perConnection: 32,', replace: 'perConnection: 1e9,' },
  { file: '/front/src/pipelining.ts', find: 'perClient: 1_024,', replace: 'perClient: 1e9,' },
  { file: '/front/src/pipelining.ts', find: 'perServer: 4_096,', replace: 'perServer: 1e9,' },
);

const resources = new AsyncDisposableStack();
let people: PopulatedDatabase;

beforeAll(async () => {
  // All of them have one address.
  people = resources.use(await openPopulated({ MAX_CONNECTIONS_PER_ADDRESS: '10000' }));
});
afterAll(() => resources.disposeAsync());

const readerOf = ({ url }: ServerNode) =>
  startReader({ url: `${url}${people.path}`, token: people.token, everyMs: 5 });

/** Measures the growth of memory, and a client's responses, during an attack. */
async function undergo(node: ServerNode, attack: PipeliningAttack, holdMs: number) {
  const pid = node.process.pid as number;
  const reader = await readerOf(node);
  const watched = highestGrowthMb(pid, holdMs, ENOUGH_MB);
  using _attackers = await pipeline(node.url, attack);
  return { growthMb: await watched, ...(await reader.stop()) };
}

describe('pipelined requests whose responses are not read', () => {
  test.each(SIZE.attacks)(
    'take little memory, and no time from others: $name',
    {
      timeout: 60_000 + SIZE.idleMs + SIZE.holdMs,
    },
    async ({ name, ...attack }) => {
      await using node = await startNode(people.settings);
      const alone = await readerOf(node);
      await delay(SIZE.idleMs);
      const idleP99 = percentile((await alone.stop()).took, 0.99);
      const { growthMb, took, failures } = await undergo(node, attack, SIZE.holdMs);
      const p99 = percentile(took, 0.99);
      recordFigures('O4', [
        {
          name: `${name}: resident memory`,
          measured: `+${growthMb.toFixed(0)} MB`,
          bar: `≤ +${GROWTH_MB} MB`,
          holds: growthMb <= GROWTH_MB,
        },
        none('reads meanwhile, not answered', failures.length, took.length),
        {
          name: 'p99 of reads before, meanwhile',
          measured: `${idleP99.toFixed(1)} ms, ${p99.toFixed(1)} ms`,
          bar: `≤ ${(2 * idleP99).toFixed(1)} ms`,
          holds: p99 <= 2 * idleP99,
        },
      ]);
      expect(failures).toEqual([]);
      expect(took.length).toBeGreaterThan(0);
      expect(growthMb).toBeLessThan(GROWTH_MB);
      expect(node.complaints).toEqual([]);
      expect(node.process.exitCode).toBeNull();
    },
  );

  test('take memory, and are detected, without limits', { timeout: 90_000 }, async () => {
    await using node = await startNode({ ...people.settings, ...SABOTAGE });
    const { growthMb } = await undergo(node, { connections: 300, readsPerSecond: 0 }, 60_000);
    if (isFullSize)
      recordFigures('O4', [
        { name: 'resident memory without the limits', measured: `+${growthMb.toFixed(0)} MB and more` },
      ]);
    expect(growthMb).toBeGreaterThan(GROWTH_MB);
  });
});
