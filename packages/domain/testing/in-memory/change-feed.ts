import type { Change, ChangeFeed, HeardUpTo } from '../../src/changes/index.ts';
import type { Clock, MonotonicClock } from '../../src/time/index.ts';

/** A feed that hears what it is told to hear, when it is told to. */
export interface InMemoryChangeFeed extends ChangeFeed {
  tell(change: Change): void;
  /** A heartbeat, sent now, came back: trust begins with it, or goes on. */
  beat(): void;
  /** The connection is lost. */
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
