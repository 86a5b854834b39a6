import { setTimeout as delay } from 'node:timers/promises';
import { none, recordFigures, sized } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import { latenessOf, untilRemembered, wronglyRefused } from './stage/judge.ts';
import { mend, PROXY_FAULTS, type ProxyFault } from './stage/proxy-faults.ts';
import { openScene, type Scene } from './stage/scene.ts';
import { expectHarm, expectInTime, remembered, runTrials } from './stage/trials.ts';

const SIZE = sized({
  short: { rounds: 1, cutAfterMs: 1000, seconds: 4 },
  full: { rounds: 8, cutAfterMs: 30_000, seconds: 70 },
});
const TIMEOUT_MS = 60_000 + SIZE.rounds * 60_000;

function revokeBehind(scene: Scene, fault: ProxyFault, rounds: number) {
  const { streams } = scene.way;
  return runTrials(scene, rounds, async (token) => {
    await delay(fault.ageMs);
    // Perhaps one stream has just followed another.
    await remembered(scene, token);
    await fault.begin(streams);
    const lateness = await latenessOf(scene.service, token.secret, async () => {
      await scene.admin.revoke(token);
      fault.revoked?.(streams);
    });
    mend(streams);
    return lateness;
  });
}

describe.concurrent('a proxy between verifier and server', () => {
  test.for(PROXY_FAULTS)(
    'that $does makes no verifier accept a token too long',
    {
      timeout: TIMEOUT_MS,
    },
    async (fault) => {
      await using scene = await openScene();
      const outcome = await revokeBehind(scene, fault, SIZE.rounds);
      expectInTime('V4', `a proxy that ${fault.does}`, outcome);
    },
  );

  test('that cuts old streams lets memory decide', { timeout: TIMEOUT_MS }, async () => {
    await using scene = await openScene();
    const { service, way } = scene;
    way.streams.cutAfter(SIZE.cutAfterMs);
    const { secret } = await scene.issue();
    service.watch(secret);
    await untilRemembered(service, secret);
    await delay(SIZE.seconds * 1000);
    await untilRemembered(service, secret);
    const { runs, streams } = await service.report(secret);
    const count = (some: typeof runs) => some.reduce((sum, run) => sum + run.count, 0);
    const share = count(runs.filter(({ isKnown }) => isKnown)) / count(runs);
    const cuts = `a proxy that cuts streams after ${SIZE.cutAfterMs / 1000} s`;
    recordFigures('V4', [
      {
        name: `${cuts}: streams in ${SIZE.seconds} s, decisions from memory`,
        measured: `${streams}, ${(share * 100).toFixed(2)} %`,
      },
      none(`${cuts}: refusals of a valid token`, await wronglyRefused(service, secret)),
    ]);
    expect(share).toBeGreaterThan(0.5);
  });

  test.for(PROXY_FAULTS)(
    'that $does is harmful to $twin, which is detected',
    {
      timeout: TIMEOUT_MS,
    },
    async (fault) => {
      const { verifier = {}, server: more = {} } = fault;
      await expectHarm(async () => {
        await using scene = await openScene({ servers: [{ more }], verifier });
        return await revokeBehind(scene, fault, 1);
      });
    },
  );
});
