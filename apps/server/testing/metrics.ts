import { START } from '@gatehouse/domain/testing';
import type { MeasuredParts } from '../src/metrics/metrics.ts';

/** Idle parts. */
export function idleParts(parts: Partial<MeasuredParts> = {}): MeasuredParts {
  return {
    clock: { now: () => START },
    feed: {
      heardUpTo: () => ({ at: START, elapsedMs: 0, database: undefined }),
      state: () => ({ trusted: true }),
    },
    pool: () => ({ total: 0, idle: 0, waiting: 0 }),
    hashing: () => ({ active: 0, waiting: 0 }),
    caches: () => ({}),
    usage: () => ({ tokens: 0, oldest: undefined }),
    streams: () => 0,
    spans: () => ({ sent: 0, queue_full: 0, not_sent: 0 }),
    ...parts,
  };
}

/** Returns the lines of one metric without its HELP and TYPE. */
export function linesOf(text: string, name: string): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith(name));
}
