import type { Change, ChangeFeed, DatabaseServer, HeardUpTo } from '../../src/changes/index.ts';
import type { Clock, MonotonicClock } from '../../src/time/index.ts';

/** A feed whose changes and heartbeats tests control. */
export interface InMemoryChangeFeed extends ChangeFeed {
  tell(change: Change): void;
  /** Receives a heartbeat that was sent now; the feed is trusted from then on. */
  beat(): void;
  /** Loses the connection. */
  lose(): void;
  /** Changes the name of the database server that later heartbeats have. */
  moveTo(database: DatabaseServer | undefined): void;
}

/** The name of the database server of feeds and introspections in memory. */
export const DATABASE = 'memory' as DatabaseServer;

export function createInMemoryChangeFeed(ports: {
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
}): InMemoryChangeFeed {
  const listeners = new Set<(change: Change) => void>();
  const hearers = new Set<() => void>();
  let heard: HeardUpTo | undefined;
  let database: DatabaseServer | undefined = DATABASE;
  const tell = (change: Change) => {
    for (const listener of listeners) listener(change);
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onHeard(listener) {
      hearers.add(listener);
      return () => hearers.delete(listener);
    },
    heardUpTo: () => heard,
    tell,
    beat() {
      if (!heard) tell({ kind: 'everything' });
      heard = { elapsedMs: ports.monotonicClock.elapsedMs(), at: ports.clock.now(), database };
      for (const listener of hearers) listener();
    },
    lose() {
      heard = undefined;
      tell({ kind: 'everything' });
    },
    moveTo(other) {
      database = other;
    },
  };
}
