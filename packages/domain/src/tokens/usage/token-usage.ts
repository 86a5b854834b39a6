import type { AccessDenied } from '../../access/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { RecordRefusal } from '../refusal-reasons.ts';
import type { TokenId } from '../token.ts';

/** Why a token with a valid signature was refused. */
export type UsageRefusal = RecordRefusal | Exclude<AccessDenied['code'], 'token_not_accepted' | 'not_found'>;

/** The last use and the last refusal of a token. */
export interface TokenUsage {
  readonly lastUsedAt: Instant | null;
  readonly lastRefusal: { readonly at: Instant; readonly reason: UsageRefusal } | null;
}

/** The usage of a token without recorded uses and refusals. */
export const NEVER_USED: TokenUsage = { lastUsedAt: null, lastRefusal: null };

/**
 * Records the last use and the last refusal of each token. Recording is part of every request, so it never waits and
 * never fails. A token's first use is sent to the store at once, later ones within a second. A time is never replaced
 * by an earlier one. A graceful shutdown loses none.
 *
 * The first use of a successor sets the expiry of its predecessor, with an event `token.replaced`, in the step that
 * stores the use, and only once, however many recorders store it. The predecessor works for the grace period after
 * that use, and never longer than before. Nothing changes if it has ended by then or was already replaced, or if the
 * successor is revoked, and so another may replace the token. `tokenRotationContract` tests this part.
 * Implementations pass `usageRecorderContract`.
 */
export interface UsageRecorder {
  used(id: TokenId, at: Instant): void;
  refused(id: TokenId, at: Instant, reason: UsageRefusal): void;
  /** Resolves when everything recorded before the call is stored; rejects if it cannot be stored now. */
  flush(): Promise<void>;
}
