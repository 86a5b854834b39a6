import type { Verdict } from '../verdict/verdict.ts';

/** How a request ended whose token is known: a use, or the reason of its refusal. */
export type Outcome = 'use' | 'insufficient_scope' | 'expired' | 'network_not_allowed';

export const OUTCOMES: readonly Outcome[] = ['use', 'insufficient_scope', 'expired', 'network_not_allowed'];

/** The outcome of a verdict about a known token. */
export function outcomeOf(verdict: Verdict): Outcome {
  if (verdict.ok) return 'use';
  if (verdict.status !== 403) return 'expired';
  return verdict.isOfNetwork ? 'network_not_allowed' : 'insufficient_scope';
}
