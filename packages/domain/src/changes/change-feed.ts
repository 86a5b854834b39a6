import type { Instant } from '../time/instant.ts';
import type { Change } from './change.ts';

/** The time up to which every committed change has been received, by both clocks. */
export interface HeardUpTo {
  readonly elapsedMs: number;
  readonly at: Instant;
}

/**
 * Tells every node what changed in the store, including changes made by other programs.
 *
 * A change is delivered after its commit and before `heardUpTo` reaches the time of the commit, so a listener that
 * was told of no change up to `heardUpTo` knows that there was none. An interruption makes that no less true: `heardUpTo`
 * stays where it is, and `everything` is delivered before it advances again. Only when it may have been wrong, it becomes
 * undefined, and `everything` is delivered at once. A change can be delivered more than once, or as a wider one.
 * Implementations pass `changeFeedContract`.
 */
export interface ChangeFeed {
  /** Listeners are called synchronously, in the order of the changes. The returned function unsubscribes. */
  subscribe(listener: (change: Change) => void): () => void;

  /** Undefined until the feed is trusted first, and while what it said may be wrong. */
  heardUpTo(): HeardUpTo | undefined;
}

/** Whether a feed is known to report every change now, or why not. */
export type ChangeFeedState =
  | { readonly trusted: true }
  | { readonly trusted: false; readonly reason: string };

/** What is logged about a feed. */
export type ChangeFeedEvent =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'untrusted'; readonly reason: string }
  /** It cannot be seen whether an address leads to another server than before; reported once. */
  | { readonly kind: 'servers_unknown'; readonly reason: string }
  /** This machine's clock is ahead of the database's by `skewMs`, or behind where negative; reported once until they agree. */
  | { readonly kind: 'clock_skewed'; readonly skewMs: number }
  /** Another program or a newer version uses the channel; reported once. `payload` is the beginning of the payload. */
  | { readonly kind: 'unknown_notification'; readonly payload: string };

/** A feed with its lifecycle, for the process that runs it. */
export interface StartableChangeFeed extends ChangeFeed {
  /** Starts once. Resolves when it is known whether the feed can be trusted; if not, it keeps trying. */
  start(): Promise<void>;
  state(): ChangeFeedState;
  close(): Promise<void>;
}
