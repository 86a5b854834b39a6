import type { ChangeFeedState } from '@gatehouse/domain/changes';
import type { MetricsSnapshot } from '../metrics/metrics.ts';

/** What the primary process says to a worker. */
export type Order =
  /** Answers at once, with a `state`. */
  | { readonly kind: 'ask_state' }
  /** Answers soon, with `metrics`. */
  | { readonly kind: 'ask_metrics' }
  | { readonly kind: 'stop' }
  /** Like `stop`, and nothing is waited for. */
  | { readonly kind: 'cut' };

/** What a worker says to the primary process. */
export type Report =
  | { readonly kind: 'serving'; readonly url: string }
  | { readonly kind: 'state'; readonly feed: ChangeFeedState }
  | { readonly kind: 'metrics'; readonly metrics: MetricsSnapshot }
  /** The worker ends, and this is why. */
  | { readonly kind: 'failed'; readonly line: string };
