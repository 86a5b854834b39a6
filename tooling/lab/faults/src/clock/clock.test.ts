import { setTimeout as delay } from 'node:timers/promises';
import { atMost, none, recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import type { IssuedToken } from '../stage/admin.ts';
import { statusOf, untilReady, untilStatus, verdictOf } from '../stage/ask.ts';
import { metric } from '../stage/metrics.ts';
import { BOUND_MS, latenessesOf } from '../stage/revocation.ts';
import { hasFaketime } from '../stage/wall-clock.ts';
import { type ClockedNode, openScene, type Scene } from './scene.ts';

const FIVE_MINUTES_MS = 300_000;
const OFFSETS = [0, FIVE_MINUTES_MS, -FIVE_MINUTES_MS];
const SIZE = sized({ short: { expiries: 1, steps: 4 }, full: { expiries: 20, steps: 200 } });
const TIMEOUT_MS = 60_000 + SIZE.expiries * 10_000 + SIZE.steps * 5_000;

if (!hasFaketime) recordSkip('C1', 'faketime is not installed (apt-get install faketime)');

describe.skipIf(!hasFaketime)('a token that expires, on servers whose clocks differ by minutes', () => {
  interface Found {
    late: number;
    early: number;
    accepted: number;
    firstRefusedMs: number;
  }

  /**
   * Sets the server's clock to a second before the token ends, and asks until a second after. Returns the decisions
   * that were too late or too early by that clock, and when the token was first refused.
   */
  async function askAroundTheEnd(
    { clock }: ClockedNode,
    url: string,
    { secret, expiresAt }: IssuedToken,
    graceMs: number,
  ): Promise<Found> {
    const offsetMs = expiresAt - 1000 - Date.now();
    await clock.set(offsetMs - graceMs);
    const found: Found = { late: 0, early: 0, accepted: 0, firstRefusedMs: Number.POSITIVE_INFINITY };
    for (;;) {
      const sentAt = Date.now() + offsetMs;
      const status = await statusOf(url, secret);
      const answeredAt = Date.now() + offsetMs;
      if (status === 200) found.accepted += 1;
      if (status === 200 && sentAt >= expiresAt) found.late += 1;
      // A 503 is not a refusal of the token.
      if (status === 401 && answeredAt < expiresAt) found.early += 1;
      if (status === 401) found.firstRefusedMs = Math.min(found.firstRefusedMs, answeredAt - expiresAt);
      if (sentAt > expiresAt + 1000) return found;
      await delay(2);
    }
  }

  test('ends exactly at its expiry, by the clock of the server that receives the request', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using scene = await openScene(OFFSETS);
    const all: Found[] = [];
    for (let round = 0; round < SIZE.expiries; round += 1) {
      const long = await scene.admin.issue({ lifetimeMs: 2 * FIVE_MINUTES_MS });
      const short = await scene.admin.issue({ lifetimeMs: 1500 });
      for (const url of scene.urls) expect(await verdictOf(url, long.secret)).toBe(200);
      await untilStatus(401, scene.urls[0] ?? '', short.secret);
      // On a clock five minutes fast it has expired before it begins, on a slow one it has not.
      expect(await Promise.all(scene.urls.map((url) => verdictOf(url, short.secret)))).toEqual([
        401, 401, 200,
      ]);
      const asked = scene.nodes.map((node, index) => askAroundTheEnd(node, scene.urls[index] ?? '', long, 0));
      all.push(...(await Promise.all(asked)));
      for (const [index, { clock }] of scene.nodes.entries()) await clock.set(OFFSETS[index] ?? 0);
    }
    const sum = (of: (found: Found) => number) => all.reduce((total, one) => total + of(one), 0);
    const [late, early] = [sum(({ late }) => late), sum(({ early }) => early)];
    const slowest = Math.max(...all.map(({ firstRefusedMs }) => firstRefusedMs));
    recordFigures('C1', [
      { name: 'token expiries, on correct, fast and slow clocks', measured: String(all.length) },
      none('accepted after the end', late),
      none('refused before the end', early),
      { name: 'first refusal after the end, at most', measured: `${slowest} ms` },
    ]);
    expect([late, early]).toEqual([0, 0]);
    expect(Math.min(...all.map(({ accepted }) => accepted))).toBeGreaterThan(0);
    expect(slowest).toBeLessThan(Number.POSITIVE_INFINITY);
  });

  test('is accepted too long, and detected, with a minute of leeway', async () => {
    await using scene = await openScene([0]);
    const [node] = scene.nodes as [ClockedNode];
    const token = await scene.admin.issue({ lifetimeMs: FIVE_MINUTES_MS });
    const { late } = await askAroundTheEnd(node, scene.urls[0] ?? '', token, 60_000);
    expect(late).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasFaketime)('a token that is revoked while clocks are set', () => {
  const untilTrusting = async ({ nodes }: Scene) => {
    for (const { opsUrl } of nodes)
      while ((await metric(opsUrl, 'gatehouse_change_feed_trusted')) !== 1) await delay(20);
  };

  /** Revokes a known token at the moment when a server's clock is set, with or without a silent feed. */
  async function revokeAndStep(scene: Scene, node: ClockedNode, step: { toMs: number; silently: boolean }) {
    const token = await scene.admin.issue();
    await untilTrusting(scene);
    for (const url of scene.urls)
      for (const _ of [1, 2, 3]) expect(await verdictOf(url, token.secret)).toBe(200);
    scene.silenceFeeds(step.silently);
    await node.clock.set(step.toMs);
    const latenesses = await latenessesOf(scene.urls, token.secret, () => scene.admin.revoke(token));
    scene.silenceFeeds(false);
    return latenesses;
  }

  test(`is accepted nowhere a second later, in ${SIZE.steps} steps of five minutes`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using scene = await openScene([0, 0]);
    const latenesses: number[] = [];
    for (let step = 0; step < SIZE.steps; step += 1) {
      const node = scene.nodes[step % 3 === 0 ? 0 : 1] as ClockedNode;
      // Backward, forward and backward; every second time the feed is silent meanwhile.
      const toMs = ([-1, 1, 0, -1, 0, 1][step % 6] ?? 0) * FIVE_MINUTES_MS;
      latenesses.push(...(await revokeAndStep(scene, node, { toMs, silently: step % 2 === 0 })));
    }
    const latest = Math.max(...latenesses);
    recordFigures('C1', [
      { name: 'revocations while a clock was set', measured: String(SIZE.steps) },
      atMost('last acceptance after the acknowledgement, at most', latest, BOUND_MS),
    ]);
    expect(latest).toBeLessThanOrEqual(BOUND_MS);
    for (const { opsUrl } of scene.nodes) await untilReady(opsUrl);
  });

  test('is accepted too long, and detected, if a server uses data of a minute ago', async () => {
    await using scene = await openScene([0], { MAX_STALENESS_MS: '60000' });
    const [node] = scene.nodes as [ClockedNode];
    const latenesses = await revokeAndStep(scene, node, { toMs: -FIVE_MINUTES_MS, silently: true });
    expect(Math.max(...latenesses)).toBeGreaterThan(BOUND_MS);
  });
});
