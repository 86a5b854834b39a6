import type { Instant } from '../time/instant.ts';
import type { Grant } from './token.ts';
import { type StandingProblem, standingProblem } from './token-standing.ts';

/** `active`, or why the token is not accepted now. */
export type TokenState = 'active' | StandingProblem;

/** A grant with what it comes to at one moment, for people who look after tokens. */
export interface TokenReport {
  readonly grant: Grant;
  readonly state: TokenState;
}

export function tokenReport(grant: Grant, now: Instant): TokenReport {
  return { grant, state: standingProblem(grant, now) ?? 'active' };
}
