import { setTimeout as delay } from 'node:timers/promises';
import { sized } from '@gatehouse/fault-figures';
import { describe, test } from 'vitest';
import type { ServerNode } from '../stage/node.ts';
import { latenessOf } from './stage/judge.ts';
import { openScene, type Scene } from './stage/scene.ts';
import { expectHarm, expectInTime, runTrials } from './stage/trials.ts';
import { OLD_KNOWLEDGE_DECIDES } from './stage/wrong-verifiers.ts';

const SIZE = sized({ short: { freezes: 1 }, full: { freezes: 20 } });
const FROZEN_MS = 5000;
const TIMEOUT_MS = 60_000 + SIZE.freezes * 60_000;

/** Stops the only server, and revokes a token at once, meanwhile or when the server goes on. */
async function freezeAndRevoke(scene: Scene, freezes: number) {
  const { service, admin } = scene;
  const [server] = scene.nodes as [ServerNode];
  return await runTrials(scene, freezes, async (token, freeze) => {
    server.process.kill('SIGSTOP');
    const thawed = delay(FROZEN_MS).then(() => server.process.kill('SIGCONT'));
    await delay((freeze * FROZEN_MS) / freezes);
    const lateness = await latenessOf(service, token.secret, () => admin.revoke(token));
    await thawed;
    return lateness;
  });
}

describe.concurrent('a server that is stopped for 5 s', () => {
  test('makes no verifier accept a token too long', { timeout: TIMEOUT_MS }, async () => {
    await using scene = await openScene();
    const outcome = await freezeAndRevoke(scene, SIZE.freezes);
    expectInTime('V2', 'the server stopped for 5 s', outcome);
  });

  test('is harmful to a verifier whose old knowledge decides, which is detected', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await expectHarm(async () => {
      await using scene = await openScene({ verifier: OLD_KNOWLEDGE_DECIDES });
      return await freezeAndRevoke(scene, 1);
    });
  });
});
