import { err, ok, type Result } from '@gatehouse/domain';
import type { HashingBusy } from '@gatehouse/domain/users';
import pLimit from 'p-limit';

export interface WorkLimits {
  /** The maximum number of concurrent tasks. */
  readonly concurrency: number;
  /** The maximum number of tasks that wait. */
  readonly queueLimit: number;
}

export interface WorkLoad {
  readonly active: number;
  readonly waiting: number;
}

export function boundWork({ concurrency, queueLimit }: WorkLimits) {
  const limit = pLimit(concurrency);
  return {
    /** Runs a task within the limits, and refuses it at once if it exceeds them. */
    async run<T>(work: () => Promise<T>): Promise<Result<T, HashingBusy>> {
      if (limit.activeCount + limit.pendingCount >= concurrency + queueLimit) {
        return err({ code: 'hashing_busy' });
      }
      return limit(async () => ok(await work()));
    },
    load: (): WorkLoad => ({ active: limit.activeCount, waiting: limit.pendingCount }),
  };
}
