import type { ChangeFeedState } from '@gatehouse/domain/changes';
import type { MetricsSnapshot } from '../metrics/metrics.ts';

/** The questions of the primary process to a worker. The worker answers `state` at once, and `metrics` soon. */
export interface WorkerAnswers {
  readonly state: ChangeFeedState;
  readonly metrics: MetricsSnapshot;
}

/** A message of the primary process to a worker: a question, or to stop, with `cut` without waiting for responses. */
export type WorkerCommand = keyof WorkerAnswers | 'stop' | 'cut';

/** A message of a worker to the primary process. */
export type WorkerReport =
  | { readonly kind: 'serving'; readonly url: string }
  | { readonly kind: 'answers'; readonly answers: Partial<WorkerAnswers> }
  /** Why the worker is about to exit. */
  | { readonly kind: 'failed'; readonly line: string };
