import { setTimeout as delay } from 'node:timers/promises';
import { atMost, type Figure, none, recordFigures } from '@gatehouse/fault-figures';
import { expect } from 'vitest';
import type { IssuedToken } from '../../stage/admin.ts';
import { BOUND_MS } from '../../stage/revocation.ts';
import { untilRemembered, wronglyRefused } from './judge.ts';
import type { Scene } from './scene.ts';

/** The decisions of a verifier under a fault. */
export interface Outcome {
  /** For each change, when the verifier last decided as before it, in milliseconds after its acknowledgement. */
  readonly latenesses: readonly number[];
  /** For each time, how long the verifier then took to decide about an unchanged token from memory, in milliseconds. */
  readonly backMs: readonly number[];
  /** How often the unchanged token was refused. */
  readonly wrong: number;
}

/**
 * Makes a fault again and again, each time with a new token that the verifier remembers, and at another moment between two
 * proofs. A second token is never changed.
 *
 * @param trial makes the fault and changes the token; returns `latenessOf`
 */
export async function runTrials(
  scene: Scene,
  rounds: number,
  trial: (token: IssuedToken, round: number) => Promise<number | readonly number[]>,
): Promise<Outcome> {
  const { service } = scene;
  const unchanged = await scene.issue();
  service.watch(unchanged.secret);
  const latenesses: number[] = [];
  const backMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const token = await scene.issue();
    service.watch(token.secret);
    await remembered(scene, token, unchanged);
    await delay((round * 61) % 250);
    latenesses.push(...[await trial(token, round)].flat());
    service.forget(token.secret);
    backMs.push(await untilRemembered(service, unchanged.secret));
  }
  return { latenesses, backMs, wrong: await wronglyRefused(service, unchanged.secret) };
}

/** Resolves when the verifier decides about all of these tokens from memory. */
export const remembered = ({ service }: Scene, ...tokens: readonly IssuedToken[]) =>
  Promise.all(tokens.map(({ secret }) => untilRemembered(service, secret)));

/** Records the outcome, and expects that the verifier decided in time. */
export function expectInTime(
  fault: string,
  what: string,
  { latenesses, backMs, wrong }: Outcome,
  more: readonly Figure[] = [],
): void {
  const latest = Math.max(...latenesses);
  recordFigures(fault, [
    atMost(`${what}: ${latenesses.length} changes, last decision as before, at most`, latest, BOUND_MS, 1),
    {
      ...none('', wrong),
      name: `${what}: decided from memory again within, refusals of a valid token`,
      measured: `${Math.max(...backMs).toFixed(0)} ms, ${wrong}`,
    },
    ...more,
  ]);
  expect(latest).toBeLessThanOrEqual(BOUND_MS);
  expect(wrong).toBe(0);
}

/** How often a twin is tried: on a busy machine, its knowledge may just be too old when the token is changed. */
const ATTEMPTS = 4;

/** Expects that a sabotage twin decides as before for too long. Calls `attempt` until it does. */
export async function expectTooLong(attempt: () => Promise<readonly number[]>): Promise<void> {
  let latest = 0;
  for (let tried = 0; tried < ATTEMPTS && latest <= BOUND_MS; tried += 1)
    latest = Math.max(...(await attempt()));
  expect(latest).toBeGreaterThan(BOUND_MS);
}

/** Expects that a sabotage twin decides as before for too long in one of some trials. */
export const expectHarm = (run: () => Promise<Outcome>) =>
  expectTooLong(async () => (await run()).latenesses);
