import { setTimeout as delay } from 'node:timers/promises';
import { sized } from '@gatehouse/fault-figures';
import { describe, test } from 'vitest';
import { latenessOf } from './stage/judge.ts';
import { openScene, type Scene } from './stage/scene.ts';
import { expectHarm, expectInTime, runTrials } from './stage/trials.ts';
import { BELIEVES_CLOCKS, OLD_KNOWLEDGE_DECIDES } from './stage/wrong-verifiers.ts';

const SIZE = sized({ short: { freezes: 1, frozenMs: 3000 }, full: { freezes: 12, frozenMs: 10_000 } });
const TIMEOUT_MS = 60_000 + SIZE.freezes * 60_000;
/** How long the stream stays silent after the verifier goes on, in milliseconds: longer than memory may decide. */
const SILENT_MS = 1500;

const CLOCKS = [
  {
    clocks: 'clocks go on',
    standStill: 'none',
    errs: 'whose old knowledge decides',
    verifier: OLD_KNOWLEDGE_DECIDES,
  },
  {
    clocks: 'monotonic clock stands still',
    standStill: 'monotonic',
    errs: 'that believes its clocks',
    verifier: BELIEVES_CLOCKS,
  },
] as const;

/**
 * Stops the verifier's process. Meanwhile a token is revoked, and the stream falls silent, so that nothing tells the
 * verifier of that when it goes on.
 */
async function freezeAndRevoke(scene: Scene, { freezes, frozenMs }: typeof SIZE) {
  const { service, way, admin } = scene;
  return await runTrials(scene, freezes, async (token) => {
    service.process.kill('SIGSTOP');
    way.streams.carryEvents(() => undefined);
    const judged = latenessOf(service, token.secret, () => admin.revoke(token));
    await delay(frozenMs);
    service.process.kill('SIGCONT');
    await delay(SILENT_MS);
    way.streams.carryEvents((_, pass) => pass());
    return judged;
  });
}

describe.concurrent('a verifier that is stopped', () => {
  test.for(CLOCKS)(
    'while its $clocks accepts no token too long',
    { timeout: TIMEOUT_MS },
    async ({ clocks, standStill }) => {
      await using scene = await openScene();
      scene.service.failClocks({ standStill });
      const outcome = await freezeAndRevoke(scene, SIZE);
      expectInTime('V3', `the verifier stopped for ${SIZE.frozenMs / 1000} s while its ${clocks}`, outcome);
    },
  );

  test.for(CLOCKS)(
    'and $errs accepts a revoked token, which is detected',
    { timeout: TIMEOUT_MS },
    async ({ standStill, verifier }) => {
      await expectHarm(async () => {
        await using scene = await openScene({ verifier });
        scene.service.failClocks({ standStill });
        return await freezeAndRevoke(scene, { freezes: 1, frozenMs: 2500 });
      });
    },
  );
});
