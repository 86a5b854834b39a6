import { setTimeout as delay } from 'node:timers/promises';
import type { Instant } from '@gatehouse/domain/time';
import { recordFigures, sized } from '@gatehouse/fault-figures';
import { describe, expect, test, vi } from 'vitest';
import { call } from '../../testing/client.ts';
import { type ApiToken, type Cluster, heardUpToMs, isTrusting, openCluster } from '../../testing/cluster.ts';
import type { PostgresServer, ReplaceableParts } from '../../testing/postgres-server.ts';
import {
  accepted,
  BOUND_MS,
  figuresOf,
  latenessesOf,
  noneOf,
  outOfTime,
  warm,
} from '../../testing/revocation-watch.ts';
import { rememberForever, replaceFeed, trustForever, trustWallClock } from '../../testing/sabotage.ts';

const SIZE = sized({ short: { silences: 1, outages: 1 }, full: { silences: 50, outages: 25 } });
const SILENCE_LIMIT_MS = 20_000;

const until = (holds: () => boolean | Promise<boolean>) =>
  vi.waitUntil(holds, { timeout: 15_000, interval: 10 });

const untilAllTrust = ({ nodes }: Cluster) => until(() => nodes.every(isTrusting));

const readiness = async ({ opsUrl }: PostgresServer) => {
  const { status, json } = await call(opsUrl, '/ready');
  const { title, reason } = json as { title?: string; reason?: string };
  return { status, says: title ?? reason };
};

/** How many statements each node needs to answer requests with a token that it knows, at least. */
async function statementsFor({ nodes, path }: Cluster, { secret }: ApiToken) {
  return Promise.all(
    nodes.map(async ({ url, statements }) => {
      const costs: number[] = [];
      for (let i = 0; i < 5; i += 1) {
        const before = statements();
        await call(url, path, { token: secret });
        costs.push(statements() - before);
      }
      // Others, such as the feed, send statements too.
      return Math.min(...costs);
    }),
  );
}

/** A node whose feed was not fresh meanwhile, on a busy machine, has not cached the tokens yet. */
const untilAllKnow = (cluster: Cluster, tokens: readonly ApiToken[]) =>
  until(async () => {
    await warm(cluster, tokens);
    const costs = await Promise.all(tokens.map((token) => statementsFor(cluster, token)));
    return costs.flat().every((cost) => cost === 0);
  });

/** A wall clock that someone sets. */
function steppingClock() {
  let offset = 0;
  return {
    step(milliseconds: number) {
      offset += milliseconds;
    },
    replace({ container }: ReplaceableParts) {
      container.override('clock', () => ({ now: () => (Date.now() + offset) as Instant }));
    },
  };
}

const FIVE_MINUTES = 300_000;

describe.concurrent('a listening connection that falls silent, while the pool goes on', () => {
  /** Revokes a few at once when it falls silent, and a few more when that is known. */
  async function revokeInSilence(cluster: Cluster) {
    const [early, late] = [await cluster.newTokens(3), await cluster.newTokens(3)];
    await untilAllTrust(cluster);
    await warm(cluster, early);
    // Right after a heartbeat: until the next one is missed, the failure cannot be known.
    const [node] = cluster.others as [PostgresServer];
    const heard = heardUpToMs(node);
    await vi.waitUntil(() => heardUpToMs(node) !== heard, { timeout: 5000, interval: 1 });
    cluster.proxy.silence(true);
    const latenesses = [...(await latenessesOf(cluster, early, 3))];
    await until(() => !cluster.others.some(isTrusting));
    await warm(cluster, late);
    latenesses.push(...(await latenessesOf(cluster, late, 3)));
    return { latenesses, tokens: [...early, ...late] };
  }

  test('delays a revocation by a second at most, is logged, and recovers by itself', {
    timeout: (SIZE.silences + 2) * SILENCE_LIMIT_MS,
  }, async () => {
    await using cluster = await openCluster({ proxied: 'feed' });
    const [used] = (await cluster.newTokens(1)) as [ApiToken];
    await warm(cluster, [used]);
    expect(await statementsFor(cluster, used)).toEqual([0, 0]);
    const all: number[] = [];
    for (let silence = 0; silence < SIZE.silences; silence += 1) {
      const { latenesses, tokens } = await revokeInSilence(cluster);
      all.push(...latenesses);
      expect(await statementsFor(cluster, used)).toEqual([0, 2]);
      expect(await Promise.all(cluster.nodes.map(readiness))).toEqual([
        { status: 200 },
        {
          status: 200,
          says: expect.stringMatching(/^The change feed is not trusted: the listening connection /),
        },
      ]);

      cluster.proxy.silence(false);
      await untilAllTrust(cluster);
      await warm(cluster, [used]);
      expect(await statementsFor(cluster, used)).toEqual([0, 0]);
      expect(await accepted(cluster, tokens)).toEqual([]);
      expect(await Promise.all(cluster.nodes.map(readiness))).toEqual([{ status: 200 }, { status: 200 }]);
    }
    recordFigures('R3', [{ name: 'silences', measured: String(SIZE.silences) }, ...figuresOf(all)]);
    expect(outOfTime(all)).toEqual([]);
  });

  test('is detected if cached data is trusted nevertheless', async () => {
    await using cluster = await openCluster({ proxied: 'feed', replace: trustForever });
    const { latenesses } = await revokeInSilence(cluster);
    // The tokens that were remembered after the last change was heard.
    expect(outOfTime(latenesses).length).toBeGreaterThanOrEqual(3);
  });
});

describe.concurrent('a clock that is set while a silence goes unnoticed', () => {
  /** A node whose feed takes long to give its connection up, so that only the freshness bound is left. */
  async function revokeWhileSetting(milliseconds: number, sabotage: typeof trustWallClock | undefined) {
    const { step, replace } = steppingClock();
    await using cluster = await openCluster({
      proxied: 'feed',
      replace(parts) {
        replace(parts);
        replaceFeed(parts, { maxStalenessMs: 60_000 });
        sabotage?.(parts);
      },
    });
    const tokens = await cluster.newTokens(3);
    await untilAllKnow(cluster, tokens);
    cluster.proxy.silence(true);
    step(milliseconds);
    return await latenessesOf(cluster, tokens, 3);
  }

  test.each([
    ['back', -FIVE_MINUTES],
    ['forward', FIVE_MINUTES],
  ])('by five minutes %s delays a revocation by a second at most', async (_, milliseconds) => {
    expect(outOfTime(await revokeWhileSetting(milliseconds, undefined))).toEqual([]);
  });

  test('is detected if no other clock is used', async () => {
    expect(outOfTime(await revokeWhileSetting(-FIVE_MINUTES, trustWallClock))).toHaveLength(3);
  });
});

test('a clock that is set while all is well delays no revocation', async () => {
  const { step, replace } = steppingClock();
  await using cluster = await openCluster({ replace });
  for (const milliseconds of [-FIVE_MINUTES, FIVE_MINUTES, FIVE_MINUTES, -FIVE_MINUTES]) {
    const tokens = await cluster.newTokens(5);
    await warm(cluster, tokens);
    step(milliseconds);
    expect(outOfTime(await latenessesOf(cluster, tokens, 5))).toEqual([]);
    expect(await accepted(cluster, tokens)).toEqual([]);
  }
});

describe.concurrent('a database that cannot be reached', () => {
  interface Asked {
    readonly sentAfterMs: number;
    readonly tookMs: number;
    readonly status: number;
  }

  /** Breaks the way to the database, and asks a node that knows the token, four requests at a time. */
  async function askThroughOutage(cluster: Cluster, { secret }: ApiToken, begin: () => void) {
    const [node] = cluster.others as [PostgresServer];
    const asked: Asked[] = [];
    begin();
    const begunAt = performance.now();
    async function ask() {
      for (;;) {
        const sentAt = performance.now();
        const { status } = await call(node.url, cluster.path, { token: secret });
        const sentAfterMs = sentAt - begunAt;
        asked.push({ sentAfterMs, status, tookMs: performance.now() - sentAt });
        if (sentAfterMs > BOUND_MS) return;
        await delay(5);
      }
    }
    await Promise.all([1, 2, 3, 4].map(ask));
    return asked;
  }

  const acceptedLate = (asked: readonly Asked[]) =>
    asked.filter(({ status, sentAfterMs }) => status === 200 && sentAfterMs > BOUND_MS);

  test.each([
    ['falls silent', 'silence'],
    ['is cut off', 'cut'],
  ] as const)(
    'because it %s: known facts for a second at most, then 503 soon, then all is well by itself',
    async (what, how) => {
      await using cluster = await openCluster({ proxied: 'everything' });
      const [node] = cluster.others as [PostgresServer];
      const all: Asked[] = [];
      const recovered: number[] = [];
      for (let outage = 0; outage < SIZE.outages; outage += 1) {
        const [used, revoked] = (await cluster.newTokens(2)) as [ApiToken, ApiToken];
        await untilAllTrust(cluster);
        await warm(cluster, [used, revoked]);
        const asked = await askThroughOutage(cluster, used, () => cluster.proxy[how](true));
        all.push(...asked);
        expect([...new Set(asked.map(({ status }) => status))].toSorted()).toEqual(
          how === 'silence' ? [200, 503] : expect.arrayContaining([503]),
        );
        expect(await readiness(node)).toEqual({
          status: 503,
          says: expect.stringMatching(/^The database cannot be used/),
        });

        const latenesses = latenessesOf(cluster, [revoked], 1);
        const backAt = performance.now();
        cluster.proxy[how](false);
        expect(outOfTime(await latenesses)).toEqual([]);
        await until(async () => {
          const { status, says } = await readiness(node);
          return status === 200 && says === undefined;
        });
        recovered.push(performance.now() - backAt);
        await warm(cluster, [used]);
        expect(await accepted(cluster, [revoked])).toEqual([]);
      }

      const [late, wrong] = [acceptedLate(all), all.filter(({ status }) => status !== 200 && status !== 503)];
      const slowest = Math.max(...all.map(({ tookMs }) => tookMs));
      recordFigures('R4', [
        { name: `times that the database ${what}, requests`, measured: `${SIZE.outages}, ${all.length}` },
        noneOf('accepted later than 1 s', late),
        noneOf('neither 200 nor 503', wrong),
        { name: 'slowest answer', measured: `${slowest.toFixed(0)} ms` },
        { name: 'ready again after, at most', measured: `${Math.max(...recovered).toFixed(0)} ms` },
      ]);
      expect(wrong).toEqual([]);
      expect(late).toEqual([]);
      expect(slowest).toBeLessThan(2500);
    },
    (SIZE.outages + 2) * SILENCE_LIMIT_MS,
  );

  test('is detected if cached data is served without a limit', async () => {
    await using cluster = await openCluster({ proxied: 'everything', replace: rememberForever });
    const [used] = (await cluster.newTokens(1)) as [ApiToken];
    await warm(cluster, [used]);
    const asked = await askThroughOutage(cluster, used, () => cluster.proxy.cut(true));
    cluster.proxy.cut(false);
    expect(acceptedLate(asked)).not.toEqual([]);
  });
});
