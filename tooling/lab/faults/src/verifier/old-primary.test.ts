import { setTimeout as delay } from 'node:timers/promises';
import { recordSkip, sized } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../failover/replicated-postgres.ts';
import { untilLed } from '../failover/switched-address.ts';
import { adminOf, type IssuedToken } from '../stage/admin.ts';
import { untilReady } from '../stage/ask.ts';
import { hasHaproxy } from '../stage/haproxy.ts';
import type { Settings } from '../stage/node.ts';
import { populate, settingsOf } from '../stage/population.ts';
import { openInstallation } from '../stage/store.ts';
import { until } from '../stage/until.ts';
import { saysWhetherActive } from './stage/held-answers.ts';
import { latenessAfter } from './stage/judge.ts';
import { monotonicMs } from './stage/monotonic.ts';
import { openScene, READ, type Scene } from './stage/scene.ts';
import { expectHarm, expectInTime, type Outcome, runTrials } from './stage/trials.ts';
import { BELIEVES_ANY_DATABASE } from './stage/wrong-verifiers.ts';

const SIZE = sized({ short: { rounds: 1 }, full: { rounds: 20 } });
const TIMEOUT_MS = 90_000 + SIZE.rounds * 30_000;
/** A token is asked about this often during a failover, each time another one, in milliseconds. */
const ASK_EVERY_MS = 50;

const isPossible = hasHaproxy && process.platform === 'linux';
if (!isPossible) recordSkip('V5', 'haproxy is not installed (apt-get install haproxy), or this is not Linux');

/** Two servers whose connections stay open when the address of their database leads to another primary. */
async function openReplicated(verifier: Settings = {}) {
  await using ending = new AsyncDisposableStack();
  const postgres = ending.use(
    await startReplicatedPostgres({ replication: { behindMs: 0 }, openConnections: 'kept' }, async (url) => {
      await populate(settingsOf(url));
    }),
  );
  await untilLed(postgres.address);
  const scene = ending.use(
    await openScene({ databaseUrl: postgres.address.url, servers: [{}, {}], verifier }),
  );
  scene.way.leadTo({ questions: scene.nodes[1]?.url ?? '' });
  const kept = ending.move();
  return { postgres, scene, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/**
 * Promotes the standby while the old primary goes on running, and revokes tokens at the new one. The verifier follows one
 * server and asks another. Answers of the old primary are held back until the stream has named the new one.
 */
async function failOver(postgres: ReplicatedPostgres, scene: Scene, rounds: number): Promise<Outcome> {
  const { service, way, nodes, settings, email } = scene;
  /** With new connections: those of the scene may lead to an old primary. */
  async function issue(): Promise<IssuedToken> {
    await using store = openInstallation(settings);
    return await (await adminOf(store, email)).issue({ scopes: [READ] });
  }

  return await runTrials({ ...scene, issue }, rounds, async (known) => {
    await Promise.all(nodes.map(({ opsUrl }) => untilReady(opsUrl)));
    const unasked: IssuedToken[] = [];
    for (let serial = 0; serial < 40; serial += 1) unasked.push(await issue());
    await postgres.untilCaughtUp();
    const before = databaseOf(way.streams.written());
    const switched = Promise.withResolvers<void>();
    way.streams.carryEvents((event, pass) => {
      if (databaseOf([event]) !== before && databaseOf([event]) !== undefined) switched.resolve();
      pass();
    });
    way.carryAnswers((_, path) => (saysWhetherActive(path) ? switched.promise : undefined));

    await postgres.promoteStandby();
    await until('the address leads to the new primary', async () => {
      return (await postgres.address.leadsTo()) === postgres.primary.port;
    });
    await using store = openInstallation(settings);
    const admin = await adminOf(store, email);
    const acknowledged = new Map(
      [known, ...unasked].map((token) => [token, admin.revoke(token).then(monotonicMs)] as const),
    );
    const judge = async (token: IssuedToken) =>
      latenessAfter((await acknowledged.get(token)) ?? 0, service, token.secret);
    const judged = [judge(known)];
    let isSwitched = false;
    void switched.promise.then(() => {
      isSwitched = true;
    });
    for (const token of unasked) {
      if (isSwitched) break;
      service.watch(token.secret);
      judged.push(judge(token));
      await delay(ASK_EVERY_MS);
    }
    const latenesses = await Promise.all(judged);
    for (const token of unasked) service.forget(token.secret);
    way.streams.carryEvents((_, pass) => pass());
    way.carryAnswers(() => undefined);
    await postgres.replaceStandby();
    // Otherwise no question was answered during the failover.
    expect(judged.length).toBeGreaterThan(1);
    return latenesses;
  });
}

/** The database server that the last of these events names, if any does. */
function databaseOf(events: readonly string[]): string | undefined {
  const named = events
    .map((event) => JSON.parse(event))
    .map(({ proof, hello }) => (proof ?? hello)?.database);
  return named.findLast((database) => database !== undefined);
}

describe.skipIf(!isPossible)('an old primary that goes on running', () => {
  test('answers questions, and no verifier accepts a token too long', { timeout: TIMEOUT_MS }, async () => {
    await using all = await openReplicated();
    expectInTime('V5', 'an old primary that answers', await failOver(all.postgres, all.scene, SIZE.rounds));
  });

  test('harms a verifier that believes the answers of any database server, which is detected', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await expectHarm(async () => {
      await using all = await openReplicated(BELIEVES_ANY_DATABASE);
      return await failOver(all.postgres, all.scene, 1);
    });
  });
});
