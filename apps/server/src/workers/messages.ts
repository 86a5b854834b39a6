import type { ChangeFeedState } from '@gatehouse/domain/changes';
import type { MetricsSnapshot } from '../metrics/metrics.ts';

/** A message of the primary process to a worker. */
export type WorkerCommand =
  /** The worker responds at once with a `state`. */
  | { readonly kind: 'ask_state' }
  /** The worker responds soon with `metrics`. */
  | { readonly kind: 'ask_metrics' }
  | { readonly kind: 'stop' }
  /** Like `stop`, without waiting for pending responses. */
  | { readonly kind: 'cut' };

/** A message of a worker to the primary process. */
export type WorkerReport =
  | { readonly kind: 'serving'; readonly url: string }
  | { readonly kind: 'state'; readonly feed: ChangeFeedState }
  | { readonly kind: 'metrics'; readonly metrics: MetricsSnapshot }
  /** Why the worker is about to exit. */
  | { readonly kind: 'failed'; readonly line: string };
