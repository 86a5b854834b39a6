import { createFreshnessCheck } from '@gatehouse/domain/changes';
import { readTokenChanges } from '@gatehouse/domain/services';
import { createInMemoryChangeFeed, type World } from '@gatehouse/domain/testing';
import { createTokenChanges, createTokenHandles } from '@gatehouse/token-changes';

/** Streams of changes in memory. A stream ends as soon as it is begun, so that a test reads all of it. */
export function tokenChangesInMemory(world: World) {
  const monotonicClock = { elapsedMs: () => world.clock.now() };
  const times = { clock: world.clock, monotonicClock, maxStalenessMs: world.maxStalenessMs };
  const feed = createInMemoryChangeFeed(times);
  feed.beat();
  const tokenHandles = createTokenHandles(world);
  const tokenChanges = createTokenChanges({
    feed,
    ...times,
    isFresh: createFreshnessCheck({ feed, ...times }),
    services: world.services,
    handles: tokenHandles,
    after(_, end) {
      const soon = setImmediate(end);
      return () => clearImmediate(soon);
    },
  });
  return { tokenHandles, readTokenChanges: readTokenChanges({ tokenChanges }) };
}
