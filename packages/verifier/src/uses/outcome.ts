import type { Verdict } from '../verdict/verdict.ts';

/** How a request ended whose token is known: a use, or the reason of its refusal. */
export type Outcome = 'use' | 'insufficient_scope' | 'expired';

export const OUTCOMES: readonly Outcome[] = ['use', 'insufficient_scope', 'expired'];

/** The outcome of a verdict about a known token. */
export function outcomeOf(verdict: Verdict): Outcome {
  if (verdict.ok) return 'use';
  return verdict.status === 403 ? 'insufficient_scope' : 'expired';
}
