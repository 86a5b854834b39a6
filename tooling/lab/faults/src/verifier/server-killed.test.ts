import { sized } from '@gatehouse/fault-figures';
import { describe, test } from 'vitest';
import { startNodes } from '../failover/start-nodes.ts';
import type { ServerNode } from '../stage/node.ts';
import { until } from '../stage/until.ts';
import { holdAnswers } from './stage/held-answers.ts';
import { latenessOf } from './stage/judge.ts';
import { openScene, type Scene } from './stage/scene.ts';
import { expectHarm, expectInTime, runTrials } from './stage/trials.ts';
import { FORGETS_CHANGES } from './stage/wrong-verifiers.ts';

const SIZE = sized({ short: { kills: 2 }, full: { kills: 30 } });
const TIMEOUT_MS = 60_000 + SIZE.kills * 30_000;
/** How long the answer to a question is held back: until there is another stream, and not so long that it is useless. */
const HELD_MS = 700;

/**
 * Kills the server of the stream. Of two tokens that are revoked at once, the verifier remembers one, and asks about the other:
 * the answer was read before the revocation, and arrives when the next stream has begun.
 */
async function killAndRevoke(scene: Scene, kills: number) {
  const { service, way, admin, settings } = scene;
  await using ending = new AsyncDisposableStack();
  let [streaming, other] = scene.nodes as [ServerNode, ServerNode];
  way.leadTo({ questions: other.url });
  return await runTrials(scene, kills, async (known) => {
    const asked = await scene.issue();
    const held = holdAnswers(way);
    service.watch(asked.secret);
    await held.answered;
    const { streams } = await service.report(known.secret);
    way.leadTo({ streams: other.url });
    streaming.process.kill('SIGKILL');
    setTimeout(held.release, HELD_MS);
    const judged = [known, asked].map(({ id, secret }) =>
      latenessOf(service, secret, () => admin.revoke({ id })),
    );
    await until(
      'there is another stream',
      async () => (await service.report(known.secret)).streams > streams,
    );
    const latenesses = await Promise.all(judged);
    service.forget(asked.secret);
    const [started] = await startNodes(1, settings);
    [streaming, other] = [other, ending.use(started as ServerNode)];
    way.leadTo({ questions: other.url });
    return latenesses;
  });
}

describe.concurrent('the server that a verifier follows', () => {
  test('is killed during a question, and no token is accepted too long', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using scene = await openScene({ servers: [{}, {}] });
    expectInTime('V1', 'the server killed', await killAndRevoke(scene, SIZE.kills));
  });

  test('is killed, and a verifier that ignores changes during a question is detected', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await expectHarm(async () => {
      await using scene = await openScene({ servers: [{}, {}], verifier: FORGETS_CHANGES });
      return await killAndRevoke(scene, 1);
    });
  });
});
