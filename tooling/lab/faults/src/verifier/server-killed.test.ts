import { setTimeout as delay } from 'node:timers/promises';
import { atMost, none, recordFigures, sized } from '@gatehouse/fault-figures';
import { expect, test } from 'vitest';
import { type ServerNode, type Settings, startNode } from '../stage/node.ts';
import { BOUND_MS } from '../stage/revocation.ts';
import { sabotage } from '../stage/sabotage.ts';
import { until } from '../stage/until.ts';
import { latenessOf, untilRemembered, wronglyRefused } from './stage/judge.ts';
import { openScene } from './stage/scene.ts';

const SIZE = sized({ short: { kills: 2 }, full: { kills: 50 } });
const TIMEOUT_MS = 60_000 + SIZE.kills * 30_000;
/** How long the answer to a question is held back: until there is another stream, and not so long that it is useless. */
const HELD_MS = 700;

/** An answer counts though the stream has told a change since the question. */
const FORGETS_CHANGES = sabotage({
  file: '/verifier/src/core/rules.ts',
  find: 'hasAllChanged || dependencies.some(({ handle }) => changed.has(handle)),',
  replace: 'hasAllChanged && changed.has(dependencies[0].handle) && false,',
});

/**
 * Kills the server of the stream. Of two tokens that are revoked at once, the verifier remembers one, and asks about the other:
 * the answer was read before the revocation, and arrives when the next stream has begun.
 */
async function killAndRevoke(kills: number, verifier: Settings = {}) {
  await using scene = await openScene({ servers: [{}, {}], verifier });
  const { service, way, admin } = scene;
  await using ending = new AsyncDisposableStack();
  let [streaming, other] = scene.nodes as [ServerNode, ServerNode];
  const kept = await scene.issue();
  service.watch(kept.secret);
  const latenesses: number[] = [];
  const backMs: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const [known, asked] = [await scene.issue(), await scene.issue()];
    way.leadTo({ questions: other.url });
    service.watch(known.secret);
    await Promise.all([known, kept].map(({ secret }) => untilRemembered(service, secret)));
    // At a different moment between two proofs each time.
    await delay((kill * 61) % 250);
    const answered = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    way.carryAnswers((_, path) => {
      if (!path.endsWith('/introspect')) return undefined;
      answered.resolve();
      return held;
    });
    service.watch(asked.secret);
    await answered.promise;
    const { streams } = await service.report(kept.secret);
    way.leadTo({ streams: other.url });
    streaming.process.kill('SIGKILL');
    const since = performance.now();
    setTimeout(release, HELD_MS);
    const judged = [known, asked].map((token) =>
      latenessOf(service, token.secret, () => admin.revoke(token)),
    );
    await until('there is another stream', async () => (await service.report(kept.secret)).streams > streams);
    await held;
    way.carryAnswers(() => undefined);
    await untilRemembered(service, kept.secret);
    backMs.push(performance.now() - since);
    latenesses.push(...(await Promise.all(judged)));
    [streaming, other] = [other, ending.use(await startNode(scene.settings))];
  }
  return { latenesses, backMs, wrong: await wronglyRefused(service, kept.secret) };
}

test(`the server of the stream is killed ${SIZE.kills} times during a question, and no token is accepted too long`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const { latenesses, backMs, wrong } = await killAndRevoke(SIZE.kills);
  const latest = Math.max(...latenesses);
  recordFigures('V1', [
    { name: 'kills, revocations', measured: `${SIZE.kills}, ${latenesses.length}` },
    atMost('last acceptance after the acknowledgement, at most', latest, BOUND_MS, 1),
    none('refusals of a valid token', wrong),
    {
      name: 'decided from memory again after the kill, at most',
      measured: `${Math.max(...backMs).toFixed(0)} ms`,
    },
  ]);
  expect(latest).toBeLessThanOrEqual(BOUND_MS);
  expect(wrong).toBe(0);
});

test('a verifier that ignores changes during a question accepts a revoked token, which is detected', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { latenesses } = await killAndRevoke(1, FORGETS_CHANGES);
  expect(Math.max(...latenesses)).toBeGreaterThan(BOUND_MS);
});
