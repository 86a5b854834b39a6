import { setTimeout as delay } from 'node:timers/promises';
import { sized } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import { OPERATOR, unwrap } from '../stage/store.ts';
import { holdAnswers } from './stage/held-answers.ts';
import { latenessOf, untilRemembered } from './stage/judge.ts';
import { openScene, type Scene, SERVICE } from './stage/scene.ts';
import { startService } from './stage/service.ts';
import { TOKEN_CHANGES, type TokenChange } from './stage/token-changes.ts';
import { expectHarm, expectInTime, expectTooLong, remembered, runTrials } from './stage/trials.ts';
import { CHECKS_NO_CREDENTIAL } from './stage/wrong-servers.ts';
import { DEPENDS_ON_TOKEN_ONLY } from './stage/wrong-verifiers.ts';

const SIZE = sized({ short: { rounds: 1 }, full: { rounds: 30 } });
const TIMEOUT_MS = 60_000 + SIZE.rounds * 30_000;
/** How long the answer to a question is held back, in milliseconds: the stream tells the change meanwhile. */
const HELD_MS = 400;

/** Changes what decides on two tokens. The verifier remembers one, and the answer about the other is under way. */
function changeBetween(scene: Scene, { prepare }: TokenChange, rounds: number) {
  const { service, way } = scene;
  return runTrials(scene, rounds, async () => {
    const { scope, issue, change, undo, ...signs } = await prepare(scene);
    const [known, asked] = [await issue(), await issue()];
    service.watch(known.secret, scope);
    await remembered(scene, known);
    const held = holdAnswers(way);
    service.watch(asked.secret, scope);
    await held.answered;
    const changed = change();
    const judged = [known, asked].map(({ secret }) => latenessOf(service, secret, () => changed, signs));
    await changed;
    await delay(HELD_MS);
    held.release();
    const latenesses = await Promise.all(judged);
    for (const { secret } of [known, asked]) service.forget(secret);
    await undo?.();
    return latenesses;
  });
}

/** Revokes the credential with which the verifier asks and follows changes. */
async function revokeCredential(scene: Scene) {
  const { service, store } = scene;
  const token = await scene.issue();
  service.watch(token.secret);
  await remembered(scene, token);
  const [credential] = unwrap(await store.listServiceCredentials(OPERATOR, SERVICE));
  const id = credential?.id ?? expect.fail('there is no credential');
  const revoke = async () => unwrap(await store.revokeServiceCredential(OPERATOR, { service: SERVICE, id }));
  return { token, lateness: await latenessOf(service, token.secret, revoke, { mayBeSilent: true }) };
}

const TWINS = Object.entries(Object.groupBy(TOKEN_CHANGES, ({ twin }) => twin)) as [string, TokenChange[]][];

describe.concurrent('between answer and use', () => {
  test('a change of anything that decides counts in time', { timeout: TIMEOUT_MS }, async () => {
    await using scene = await openScene();
    for (const change of TOKEN_CHANGES)
      expectInTime('V8', change.what, await changeBetween(scene, change, SIZE.rounds));

    const { token, lateness } = await revokeCredential(scene);
    const made = await scene.store.createServiceCredential(OPERATOR, { service: SERVICE, expiry: 'never' });
    await using service = await startService(scene.way.url, unwrap(made).secret);
    service.watch(token.secret);
    const backMs = [await untilRemembered(service, token.secret)];
    expectInTime('V8', 'the credential that is revoked', { latenesses: [lateness], backMs, wrong: 0 });
  });

  test.for(TWINS)('changes harm %s, which is detected', { timeout: TIMEOUT_MS }, async ([, changes]) => {
    const [{ verifier = {} } = {}] = changes;
    await using scene = await openScene({ verifier });
    for (const change of changes) await expectHarm(() => changeBetween(scene, change, 1));
  });

  test('a credential that is revoked, but not checked, is detected', { timeout: TIMEOUT_MS }, async () => {
    await expectTooLong(async () => {
      await using scene = await openScene({
        servers: [{ more: CHECKS_NO_CREDENTIAL }],
        verifier: DEPENDS_ON_TOKEN_ONLY,
      });
      return [(await revokeCredential(scene)).lateness];
    });
  });
});
