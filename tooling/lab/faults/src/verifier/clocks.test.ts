import { setTimeout as delay } from 'node:timers/promises';
import { atMost, recordFigures, sized } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import type { IssuedToken } from '../stage/admin.ts';
import type { ServerNode } from '../stage/node.ts';
import { until } from '../stage/until.ts';
import { latenessOf } from './stage/judge.ts';
import { openScene, type Scene } from './stage/scene.ts';
import { expectHarm, expectInTime, type Outcome, runTrials } from './stage/trials.ts';
import { COMPARES_WITHOUT_MARGIN, MEASURES_BY_WALL_CLOCK } from './stage/wrong-verifiers.ts';

const SIZE = sized({ short: { steps: 2, slews: 1 }, full: { steps: 12, slews: 8 } });
const TIMEOUT_MS = 60_000 + SIZE.steps * 60_000;
const HOUR_MS = 3_600_000;
/** How long a stream is silent, in milliseconds: longer than memory may decide. */
const SILENT_MS = 1500;
/** Clocks that are 5 % wrong gain or lose more than the 1 % that a verifier allows for, in the 10 s of a stream (ADR 80). */
const FIVE_PERCENT_BOUND_MS = 1400;

const STEPS = { NODE_OPTIONS: `--import=${new URL('stage/set-wall-clock.ts', import.meta.url).href}` };

/** Revokes a token, and silences the stream before, so that the verifier's clocks decide how long its memory counts. */
async function revokeInSilence({ way, service, admin }: Scene, token: IssuedToken) {
  way.streams.carryEvents(() => undefined);
  const judged = latenessOf(service, token.secret, () => admin.revoke(token));
  await delay(SILENT_MS);
  way.streams.carryEvents((_, pass) => pass());
  return judged;
}

/** The steps go forward and back again, or back and then forward. */
const stepOf = (round: number, first: number) => (round % 2 === 0 ? first : 0);

function stepServer(scene: Scene, rounds: number): Promise<Outcome> {
  const [server] = scene.nodes as [ServerNode];
  return runTrials(scene, rounds, async (token, round) => {
    const wallOffsetMs = stepOf(round, round % 4 < 2 ? HOUR_MS : -HOUR_MS);
    server.process.send({ wallOffsetMs });
    const lateness = await revokeInSilence(scene, token);
    const isSet = (event: string) => Math.abs(timeOf(event) - Date.now() - wallOffsetMs) < 60_000;
    await until('proofs have the time of the clock that was set', () => {
      const last = scene.way.streams.written().at(-1);
      return last !== undefined && isSet(last);
    });
    return lateness;
  });
}

/** The time in a proof; not a number for other events. */
const timeOf = (event: string) => Number(JSON.parse(event).proof?.time);

function stepVerifier(scene: Scene, rounds: number): Promise<Outcome> {
  return runTrials(scene, rounds, (token, round) => {
    scene.service.failClocks({ stepMs: round % 2 === 0 ? -HOUR_MS : HOUR_MS });
    return revokeInSilence(scene, token);
  });
}

interface Slew {
  readonly speed: number;
  readonly wallIsSteady?: boolean;
}

/** Streams of any age get a revocation. */
const ageOf = (round: number) => (500 + round * 1700) % 7500;

/** The clocks have been wrong for `ageMs` when a token is revoked. They are right again after it. */
function slew(
  scene: Scene,
  rounds: number,
  clocks: Slew,
  ageMs: (round: number) => number,
): Promise<Outcome> {
  const { service } = scene;
  return runTrials(scene, rounds, async (token, round) => {
    service.failClocks(clocks);
    // The error adds up from the beginning of a stream.
    scene.way.streams.cutReaders();
    await delay(ageMs(round));
    const lateness = await revokeInSilence(scene, token);
    service.failClocks({ speed: 1 });
    return lateness;
  });
}

describe.concurrent('wall clocks that are set by an hour', () => {
  test('of servers make no verifier accept a token too long', { timeout: TIMEOUT_MS }, async () => {
    await using scene = await openScene({ servers: [{ more: STEPS }] });
    expectInTime('V7', "a server's wall clock set by an hour", await stepServer(scene, SIZE.steps));
  });

  test('of verifiers make no verifier accept a token too long', { timeout: TIMEOUT_MS }, async () => {
    await using scene = await openScene();
    expectInTime('V7', "the verifier's wall clock set by an hour", await stepVerifier(scene, SIZE.steps));
  });

  test('harm a verifier that measures by its wall clock, which is detected', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await expectHarm(async () => {
      await using scene = await openScene({ verifier: MEASURES_BY_WALL_CLOCK });
      return await stepVerifier(scene, 1);
    });
  });
});

describe.concurrent('clocks of a verifier', () => {
  test('that are 500 ppm fast or slow make it accept no token too long', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using scene = await openScene();
    for (const speed of [1.0005, 0.9995]) {
      const outcome = await slew(scene, SIZE.slews, { speed }, ageOf);
      expectInTime('V7', `the verifier's clocks at a speed of ${speed}`, outcome);
    }
  });

  test('that are 5 % fast or slow do it no more harm than ADR 80 says', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using scene = await openScene();
    for (const clocks of [{ speed: 1.05 }, { speed: 0.95 }, { speed: 0.95, wallIsSteady: true }]) {
      const { latenesses, backMs, wrong } = await slew(scene, SIZE.slews, clocks, ageOf);
      const latest = Math.max(...latenesses);
      const what = `the verifier's ${clocks.wallIsSteady ? 'monotonic clock' : 'clocks'} at a speed of ${clocks.speed}`;
      const last = `${what}: ${latenesses.length} changes, last decision as before, at most`;
      recordFigures('V7', [
        atMost(last, latest, FIVE_PERCENT_BOUND_MS, 1),
        {
          name: `${what}: decided from memory again within`,
          measured: `${Math.max(...backMs).toFixed(0)} ms`,
        },
      ]);
      expect(latest).toBeLessThanOrEqual(FIVE_PERCENT_BOUND_MS);
      expect(wrong).toBe(0);
    }
  });

  test('that are 5 % slow harm a verifier that compares them without a margin, which is detected', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await expectHarm(async () => {
      await using scene = await openScene({ verifier: COMPARES_WITHOUT_MARGIN });
      return await slew(scene, 1, { speed: 0.95 }, () => 7000);
    });
  });
});
