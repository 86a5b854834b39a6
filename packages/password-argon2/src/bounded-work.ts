import { err, type HashingBusy, ok, type Result } from '@gatehouse/domain';
import pLimit from 'p-limit';

export interface WorkLimits {
  /** So much work is done at once, at most. */
  readonly concurrency: number;
  /** So much more waits for its turn, at most. */
  readonly queueLimit: number;
}

/** Runs work within these limits, and refuses at once what exceeds them. */
export type BoundedWork = <T>(work: () => Promise<T>) => Promise<Result<T, HashingBusy>>;

export function boundWork({ concurrency, queueLimit }: WorkLimits): BoundedWork {
  const limit = pLimit(concurrency);
  return async (work) => {
    if (limit.activeCount + limit.pendingCount >= concurrency + queueLimit) {
      return err({ code: 'hashing_busy' });
    }
    return ok(await limit(work));
  };
}
