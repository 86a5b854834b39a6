import { err, ok, type Result } from '@gatehouse/domain';
import type { HashingBusy } from '@gatehouse/domain/users';
import pLimit from 'p-limit';

export interface WorkLimits {
  /** So much work is done at once, at most. */
  readonly concurrency: number;
  /** So much more waits for its turn, at most. */
  readonly queueLimit: number;
}

export interface WorkLoad {
  readonly active: number;
  readonly waiting: number;
}

export interface BoundedWork {
  /** Runs work within the limits, and refuses at once what exceeds them. */
  <T>(work: () => Promise<T>): Promise<Result<T, HashingBusy>>;
  /** What there is to do now. */
  load(): WorkLoad;
}

export function boundWork({ concurrency, queueLimit }: WorkLimits): BoundedWork {
  const limit = pLimit(concurrency);
  const bounded = async <T>(work: () => Promise<T>): Promise<Result<T, HashingBusy>> => {
    if (limit.activeCount + limit.pendingCount >= concurrency + queueLimit) {
      return err({ code: 'hashing_busy' });
    }
    return limit(async () => ok(await work()));
  };
  const load = () => ({ active: limit.activeCount, waiting: limit.pendingCount });
  return Object.assign(bounded, { load });
}
