import type { AccessDenied } from '../../access/authorize.ts';
import type { Instant } from '../../time/instant.ts';
import type { RecordRefusal } from '../refusal-reasons.ts';
import type { TokenId } from '../token.ts';

/** Why a token whose signature holds got nowhere. */
export type UsageRefusal = RecordRefusal | Exclude<AccessDenied['code'], 'token_not_accepted' | 'not_found'>;

/** When a token was last used, and last refused: what its owner asks when an integration fails. */
export interface TokenUsage {
  readonly lastUsedAt: Instant | null;
  readonly lastRefusal: { readonly at: Instant; readonly reason: UsageRefusal } | null;
}

/** Of a token of which no use and no refusal is known. */
export const NEVER_USED: TokenUsage = { lastUsedAt: null, lastRefusal: null };

/**
 * Keeps the last use and the last refusal of each token. Recording never waits and never fails: it is part of
 * every request. A token's first use is on its way at once, later ones within a second; no moment is ever
 * replaced by an earlier one; an orderly stop loses none.
 *
 * The first use of a token that replaces another sets the end of that one, as `replacedBy` says, with its event:
 * in the step that stores the use, and once, however many recorders store it. `tokenRotationContract` tests this
 * part.
 * Implementations pass `usageRecorderContract`.
 */
export interface UsageRecorder {
  used(id: TokenId, at: Instant): void;
  refused(id: TokenId, at: Instant, reason: UsageRefusal): void;
  /** Resolves when all that was recorded before is stored; rejects where that cannot be done now. */
  flush(): Promise<void>;
}
