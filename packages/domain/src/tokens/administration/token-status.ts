import type { Instant } from '../../time/instant.ts';
import { RECORD_REFUSALS, type RecordRefusal, recordRefusal } from '../refusal-reasons.ts';
import type { TokenId, TokenRecord } from '../token.ts';
import type { TokenUsage } from '../usage/token-usage.ts';

/** A token's record with its usage and the id of its successor, from one read of the database. */
export interface TokenDetails extends TokenRecord {
  readonly usage: TokenUsage;
  /** The purpose of the token, in the words of an admin: at most `MAX_DESCRIPTION_LENGTH` characters; null if there are none. */
  readonly description: string | null;
  /** The token that a rotation issued to replace this token; null if there is none, or if the successor was revoked. */
  readonly successor: TokenId | null;
}

/** All states of a token: the two states of an accepted token, and then the reasons why a token is refused. */
export const TOKEN_STATES = ['active', 'being_replaced', ...RECORD_REFUSALS] as const;

/**
 * `active`, `being_replaced` (the token has a successor, but is still accepted), or the reason why the token is
 * refused.
 */
export type TokenState = (typeof TOKEN_STATES)[number];

/** A token's details with its state. */
export interface TokenStatus extends TokenDetails {
  readonly state: TokenState;
  /** The time at which the token has this state. */
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

/** Whether a token in this state is accepted. If the token is not accepted, its state is the reason. */
export function isAcceptedIn(state: TokenState): state is Exclude<TokenState, RecordRefusal> {
  return state === 'active' || state === 'being_replaced';
}

/**
 * Returns whether the token is accepted and, if not, why. For an accepted token, `lastRefusal` is set if the last
 * request with the token was refused, for example because its scopes did not allow the request.
 */
export function diagnoseToken({ state, usage }: TokenStatus) {
  if (!isAcceptedIn(state)) return { works: false, because: state } as const;
  const { lastRefusal } = usage;
  return { works: true, lastRefusal: isRefusedSinceUse(usage) ? lastRefusal : null } as const;
}

/**
 * Whether the last request with the token was refused. If the token was accepted but did not allow the request, the
 * request counts as a use and as a refusal at the same time.
 */
export function isRefusedSinceUse({ lastUsedAt, lastRefusal }: TokenUsage): boolean {
  return lastRefusal !== null && (lastUsedAt === null || lastRefusal.at >= lastUsedAt);
}
