import type { Instant } from '../time/instant.ts';
import type { Grant } from './token.ts';
import { type StandingProblem, standingProblem } from './token-standing.ts';
import { NEVER_USED, type TokenUsage } from './token-usage.ts';

/** `active`, or why the token is not accepted now. */
export type TokenState = 'active' | StandingProblem;

/** A grant with what it comes to at one moment, for people who look after tokens. */
export interface TokenReport {
  readonly grant: Grant;
  readonly state: TokenState;
  readonly usage: TokenUsage;
  /** When that was so. */
  readonly at: Instant;
}

export function tokenReport(grant: Grant, usage: TokenUsage | undefined, at: Instant): TokenReport {
  return { grant, state: standingProblem(grant, at) ?? 'active', usage: usage ?? NEVER_USED, at };
}
