import type { Instant } from '../../time/instant.ts';
import { RECORD_REFUSALS, type RecordRefusal, recordRefusal } from '../refusal-reasons.ts';
import type { TokenId, TokenRecord } from '../token.ts';
import type { TokenUsage } from '../usage/token-usage.ts';

/** A token's record with its usage and successor, from one read. */
export interface TokenDetails extends TokenRecord {
  readonly usage: TokenUsage;
  /** The token that replaces this one by a rotation; null if there is none or it was revoked. */
  readonly successor: TokenId | null;
}

/** All states: first the states of an accepted token, then the reasons for a refusal. */
export const TOKEN_STATES = ['active', 'being_replaced', ...RECORD_REFUSALS] as const;

/** `active`, `being_replaced` (accepted beside its successor), or the reason why the token is refused. */
export type TokenState = (typeof TOKEN_STATES)[number];

/** A token's details with its state. */
export interface TokenStatus extends TokenDetails {
  readonly state: TokenState;
  /** The time that the state refers to. */
  readonly at: Instant;
}

/** Adds the token's state at this time. */
export function tokenStatus(details: TokenDetails, at: Instant): TokenStatus {
  return { ...details, state: tokenState(details, at), at };
}

/** Returns the token's state at this time. */
export function tokenState(details: TokenDetails, now: Instant): TokenState {
  const beingReplaced = details.successor !== null || details.replacedAt !== null;
  return recordRefusal(details, now) ?? (beingReplaced ? 'being_replaced' : 'active');
}

/** Whether a token in this state is accepted; if not, the state is the reason. */
export function isAcceptedIn(state: TokenState): state is Exclude<TokenState, RecordRefusal> {
  return state === 'active' || state === 'being_replaced';
}

/**
 * Returns whether requests with the token work, and why if they do not work. If they work, `lastRefusal` is the last refusal
 * since the last use of the token: the token was accepted, but its scopes or its user did not allow the request.
 */
export function diagnoseToken({ state, usage }: TokenStatus) {
  if (!isAcceptedIn(state)) return { works: false, because: state } as const;
  const { lastRefusal } = usage;
  return { works: true, lastRefusal: isRefusedSinceUse(usage) ? lastRefusal : null } as const;
}

/**
 * Whether the last request with the token was refused. A request with an accepted token that is not allowed counts as a use
 * and a refusal at the same time.
 */
export function isRefusedSinceUse({ lastUsedAt, lastRefusal }: TokenUsage): boolean {
  return lastRefusal !== null && (lastUsedAt === null || lastRefusal.at >= lastUsedAt);
}
