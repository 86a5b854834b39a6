import { expect } from 'vitest';
import type { Verdict } from '../src/verdict/verdict.ts';
import { ACTIVE, aVerifier } from './stub-gatehouse.ts';

export const READ = { scope: 'orders:read' };

export const statusOf = (verdict: Verdict | undefined) =>
  verdict?.ok === false ? verdict.status : verdict?.ok && 200;

/** The number of introspections among the calls to Gatehouse. */
export const questionsOf = (calls: readonly string[]) => calls.filter((name) => name === 'introspect').length;

/** The answer of introspection with other members of `gatehouse`. */
export const activeWith = (own: object) =>
  Response.json({ ...ACTIVE, gatehouse: { ...ACTIVE.gatehouse, ...own } });

/** A verifier that remembers a token. */
export async function aKnowingVerifier(options?: Parameters<typeof aVerifier>[0]) {
  const all = aVerifier(options);
  const stream = await all.prove();
  const token = all.jwt();
  expect(statusOf(await all.verifier.verify(token, READ))).toBe(200);
  expect(questionsOf(all.calls)).toBe(1);
  return { ...all, stream, token };
}
