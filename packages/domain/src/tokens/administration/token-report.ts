import type { Instant } from '../../time/instant.ts';
import type { Grant, TokenId } from '../token.ts';
import type { TokenUsage } from '../usage/token-usage.ts';
import { STANDING_PROBLEMS, type StandingProblem, standingProblem } from './token-standing.ts';

/** A token with all that is known of it, read at one moment. */
export interface TokenEntry {
  readonly grant: Grant;
  readonly usage: TokenUsage;
  /** The token that a rotation made to take this one's place, unless it was revoked. */
  readonly successor: TokenId | null;
}

/** Every state: those in which a token is accepted, then the problems. */
export const TOKEN_STATES = ['active', 'being_replaced', ...STANDING_PROBLEMS] as const;

/** `active`; or `being_replaced`, still accepted beside its successor; or why the token is not accepted now. */
export type TokenState = (typeof TOKEN_STATES)[number];

/** An entry with what it comes to at one moment, for people who look after tokens. */
export interface TokenReport extends TokenEntry {
  readonly state: TokenState;
  /** When that was so. */
  readonly at: Instant;
}

export function tokenReport(entry: TokenEntry, at: Instant): TokenReport {
  return { ...entry, state: tokenState(entry, at), at };
}

/** What a token comes to at this moment. */
export function tokenState({ grant, successor }: TokenEntry, now: Instant): TokenState {
  const beingReplaced = successor !== null || grant.token.replacedAt !== null;
  return standingProblem(grant, now) ?? (beingReplaced ? 'being_replaced' : 'active');
}

/** Whether a token in this state is accepted; if not, the state says why. */
export function isAcceptedIn(state: TokenState): state is Exclude<TokenState, StandingProblem> {
  return state === 'active' || state === 'being_replaced';
}
