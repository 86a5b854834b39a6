import { setTimeout as delay } from 'node:timers/promises';
import { sized } from '@gatehouse/fault-figures';
import { describe, test } from 'vitest';
import { latenessOf } from './stage/judge.ts';
import { openScene, type Scene } from './stage/scene.ts';
import { expectHarm, expectInTime, type Outcome, runTrials } from './stage/trials.ts';
import { OLDER_EDITION } from './stage/wrong-servers.ts';
import { BELIEVES_OLDER_EDITIONS } from './stage/wrong-verifiers.ts';

const SIZE = sized({ short: { rounds: 1 }, full: { rounds: 20 } });
const TIMEOUT_MS = 60_000 + SIZE.rounds * 30_000;
/** How long the verifier asks the other server before a token is revoked, in milliseconds. */
const ASKING_MS = 300;

/**
 * A verifier comes from a server of this edition to an older one, as during a rolling upgrade, and back again.
 *
 * @param streams whether the older server is asked for streams, too; otherwise it only answers questions
 */
function revokeAtOlder(scene: Scene, streams: boolean, rounds: number): Promise<Outcome> {
  const { way, service, admin } = scene;
  const [newer = '', older = ''] = scene.nodes.map(({ url }) => url);
  return runTrials(scene, rounds, async (token) => {
    way.leadTo({ questions: older, ...(streams && { streams: older }) });
    if (streams) way.streams.cutReaders();
    const other = await scene.issue();
    service.watch(other.secret);
    await delay(ASKING_MS);
    const latenesses = await Promise.all(
      [token, other].map((each) => latenessOf(service, each.secret, () => admin.revoke(each))),
    );
    service.forget(other.secret);
    way.leadTo({ questions: newer, streams: newer });
    return latenesses;
  });
}

const SERVERS = [{}, { more: OLDER_EDITION }];

describe.concurrent('a server of an older edition', () => {
  test('makes no verifier accept a token too long', { timeout: TIMEOUT_MS }, async () => {
    await using scene = await openScene({ servers: SERVERS });
    const asked = await revokeAtOlder(scene, false, SIZE.rounds);
    expectInTime('V8', 'an older server that answers only questions', asked);
    const followed = await revokeAtOlder(scene, true, SIZE.rounds);
    expectInTime('V8', 'an older server that is asked for streams', followed);
  });

  test('harms a verifier that remembers its answers, which is detected', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await expectHarm(async () => {
      await using scene = await openScene({ servers: SERVERS, verifier: BELIEVES_OLDER_EDITIONS });
      return await revokeAtOlder(scene, false, 1);
    });
  });
});
