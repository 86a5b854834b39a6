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
