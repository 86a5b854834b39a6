import type { Instant } from '../../time/instant.ts';
import { RECORD_REFUSALS, type RecordRefusal, recordRefusal } from '../refusal-reasons.ts';
import type { TokenId, TokenRecord } from '../token.ts';
import type { TokenUsage } from '../usage/token-usage.ts';

/** A token's record with its use and its successor, read at one moment. */
export interface TokenDetails extends TokenRecord {
  readonly usage: TokenUsage;
  /** The token that a rotation made to replace this one, unless that was revoked. */
  readonly successor: TokenId | null;
}

/** Every state: those in which a token is accepted, then why it is not. */
export const TOKEN_STATES = ['active', 'being_replaced', ...RECORD_REFUSALS] as const;

/** `active`; or `being_replaced`, still accepted beside its successor; or why the token is not accepted now. */
export type TokenState = (typeof TOKEN_STATES)[number];

/** A token's details and its state at one moment. */
export interface TokenStatus extends TokenDetails {
  readonly state: TokenState;
  /** The moment of the state. */
  readonly at: Instant;
}

export function tokenStatus(details: TokenDetails, at: Instant): TokenStatus {
  return { ...details, state: tokenState(details, at), at };
}

/** The token's state at this moment. */
export function tokenState(details: TokenDetails, now: Instant): TokenState {
  const beingReplaced = details.successor !== null || details.replacedAt !== null;
  return recordRefusal(details, now) ?? (beingReplaced ? 'being_replaced' : 'active');
}

/** Whether a token in this state is accepted; if not, the state says why. */
export function isAcceptedIn(state: TokenState): state is Exclude<TokenState, RecordRefusal> {
  return state === 'active' || state === 'being_replaced';
}

/** Whether an integration that has the token works, and if not, why. */
export type TokenDiagnosis =
  | {
      readonly works: true;
      /** The last refusal, if the token was not used since: the token is accepted, but not for what was asked. */
      readonly lastRefusal: TokenUsage['lastRefusal'];
    }
  | { readonly works: false; readonly because: RecordRefusal };

export function diagnoseToken({ state, usage }: TokenStatus): TokenDiagnosis {
  if (!isAcceptedIn(state)) return { works: false, because: state };
  const { lastUsedAt, lastRefusal } = usage;
  const isNewer = lastRefusal !== null && (lastUsedAt === null || lastRefusal.at > lastUsedAt);
  return { works: true, lastRefusal: isNewer ? lastRefusal : null };
}
