import type { Instant } from '../time/instant.ts';
import type { Change } from './change.ts';

/** The moment up to which every committed change has been heard, by both clocks. */
export interface HeardUpTo {
  readonly elapsedMs: number;
  readonly at: Instant;
}

/**
 * Tells every node what changed in the store, whoever changed it and by whatever means.
 *
 * A change is told after it was committed, and before `heardUpTo` reaches the moment of its commit: whoever
 * knows nothing of a change heard up to now knows that there was none. When that can no longer be said,
 * `heardUpTo` is undefined at once and `everything` is told; it is told again before trust begins anew.
 * A change may be told more than once, or as more than it was. Implementations pass `changeFeedContract`.
 */
export interface ChangeFeed {
  /** Listeners are called synchronously, in the order of the changes. The answer unsubscribes. */
  subscribe(listener: (change: Change) => void): () => void;

  /** Undefined while the feed cannot be trusted. */
  heardUpTo(): HeardUpTo | undefined;
}

/** Whether a feed is known to report every change, or why not. */
export type ChangeFeedState =
  | { readonly trusted: true }
  | { readonly trusted: false; readonly reason: string };

/** What the log should have of a feed. */
export type ChangeFeedEvent =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'untrusted'; readonly reason: string }
  /** Another program uses the channel, or a newer version does; reported once. `payload` is its beginning. */
  | { readonly kind: 'unknown_notification'; readonly payload: string };

/** A feed with its lifecycle, for the process that runs it. */
export interface StartableChangeFeed extends ChangeFeed {
  /** Starts once. Resolves when it is known whether the feed can be trusted; it goes on trying if not. */
  start(): Promise<void>;
  state(): ChangeFeedState;
  close(): Promise<void>;
}
