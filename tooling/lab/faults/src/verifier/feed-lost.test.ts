import { setTimeout as delay } from 'node:timers/promises';
import { sized } from '@gatehouse/fault-figures';
import { describe, test } from 'vitest';
import { latenessOf } from './stage/judge.ts';
import { openScene, type ServerOptions } from './stage/scene.ts';
import { expectHarm, expectInTime, runTrials } from './stage/trials.ts';
import { INTROSPECTS_FROM_MEMORY, PROVES_BY_TIMER } from './stage/wrong-servers.ts';

const SIZE = sized({ short: { rounds: 1 }, full: { rounds: 30 } });
const TIMEOUT_MS = 60_000 + SIZE.rounds * 30_000;
/** Longer than a feed waits for an answer, in milliseconds. */
const SILENT_MS = 1500;
const BEHIND_MS = 900;

/** Revokes tokens while the change feed of the only server is silent. */
async function revokeInSilence(rounds: number, more: ServerOptions['more'] = {}) {
  let isSilent = false;
  await using scene = await openScene({
    servers: [
      {
        more,
        feed(pass) {
          if (!isSilent) pass();
        },
      },
    ],
  });
  return await runTrials(scene, rounds, async (token) => {
    isSilent = true;
    const judged = latenessOf(scene.service, token.secret, () => scene.admin.revoke(token));
    await delay(SILENT_MS);
    isSilent = false;
    return judged;
  });
}

/** Revokes tokens, while the server that answers questions hears of changes later than the server of the stream. */
async function revokeBehind(rounds: number, more: ServerOptions['more'] = {}) {
  await using scene = await openScene({
    servers: [
      {},
      {
        more,
        feed(pass, { isRequest }) {
          if (isRequest) pass();
          else setTimeout(pass, BEHIND_MS);
        },
      },
    ],
  });
  scene.way.leadTo({ questions: scene.nodes[1]?.url ?? '' });
  return await runTrials(scene, rounds, (token) =>
    latenessOf(scene.service, token.secret, () => scene.admin.revoke(token)),
  );
}

describe.concurrent('a server that hears of no change', () => {
  test('makes no verifier accept a token too long', { timeout: TIMEOUT_MS }, async () => {
    const outcome = await revokeInSilence(SIZE.rounds);
    expectInTime('V6', 'the change feed silent', outcome);
  });

  test('but proves by a timer that it told all is detected', { timeout: TIMEOUT_MS }, async () => {
    await expectHarm(() => revokeInSilence(1, PROVES_BY_TIMER));
  });
});

describe.concurrent('a server that hears of changes a second late', () => {
  test('answers as the database is', { timeout: TIMEOUT_MS }, async () => {
    expectInTime('V6', 'questions to a server a second behind', await revokeBehind(SIZE.rounds));
  });

  test('and answers from memory is detected', { timeout: TIMEOUT_MS }, async () => {
    await expectHarm(() => revokeBehind(1, INTROSPECTS_FROM_MEMORY));
  });
});
