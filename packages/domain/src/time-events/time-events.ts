import type { AccountId } from '../accounts/account.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { SigningKey } from '../signing-keys/signing-key.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenWatch, WatchedToken } from './token-watch.ts';

/** The bound of one batch. */
export interface TimeBatch {
  readonly now: Instant;
  /** The largest number of tokens, keys or accounts of the batch. */
  readonly limit: number;
}

/** Whether the batch was full, so that there may be more to do. */
export interface BatchDone {
  readonly more: boolean;
}

/** The events to record about a token, and its watch after that. */
export interface TokenOutcome {
  readonly events: readonly AuditEvent[];
  readonly watch: TokenWatch;
}

/**
 * Records what became true because time went by, or because of how tokens are used. Each
 * method handles one batch, in one transaction with the events. A second server that works at the same time records
 * nothing twice. Implementations pass `timeEventsContract`.
 */
export interface TimeEvents {
  /**
   * Looks at API tokens that are due, those first that are due longest, and stores what `decide` returns. A new token
   * is due, and so is a token whose expiry was changed or that was used from a new address.
   */
  lookAtTokens(batch: TimeBatch, decide: (found: WatchedToken) => TokenOutcome): Promise<BatchDone>;

  /** Stores the event of each active key that was activated at `activatedUntil` or before, once. */
  recordDueKeys(
    batch: { readonly activatedUntil: Instant; readonly limit: number },
    audit: (key: SigningKey) => AuditEvent,
  ): Promise<BatchDone>;

  /**
   * Finds accounts whose limits for tokens changed since they were last found, and counts their API tokens that break
   * the limits, up to `countLimit`. Stores the event of each account that has such tokens.
   */
  recordExceededPolicies(
    batch: TimeBatch & { readonly countLimit: number },
    audit: (accountId: AccountId, tokens: number) => AuditEvent,
  ): Promise<BatchDone>;
}
