import type { Change, ChangeFeed, HeardUpTo } from '../../src/changes/index.ts';
import type { Clock, MonotonicClock } from '../../src/time/index.ts';

/** A feed whose changes and heartbeats tests control. */
export interface InMemoryChangeFeed extends ChangeFeed {
  tell(change: Change): void;
  /** Receives a heartbeat that was sent now; the feed is trusted from then on. */
  beat(): void;
  /** Loses the connection. */
  lose(): void;
}

export function createInMemoryChangeFeed(ports: {
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
}): InMemoryChangeFeed {
  const listeners = new Set<(change: Change) => void>();
  let heard: HeardUpTo | undefined;
  const tell = (change: Change) => {
    for (const listener of listeners) listener(change);
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    heardUpTo: () => heard,
    tell,
    beat() {
      if (!heard) tell({ kind: 'everything' });
      heard = { elapsedMs: ports.monotonicClock.elapsedMs(), at: ports.clock.now() };
    },
    lose() {
      heard = undefined;
      tell({ kind: 'everything' });
    },
  };
}
