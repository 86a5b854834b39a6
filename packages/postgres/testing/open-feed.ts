import type { Change, ChangeFeedEvent, StartableChangeFeed } from '@gatehouse/domain/changes';
import type { Clock, Instant } from '@gatehouse/domain/time';
import { type ChangeFeedOptions, createPostgresChangeFeed } from '../src/changes/change-feed.ts';
import type { TrustProblem } from '../src/changes/change-feed-trust.ts';
import { createPaces } from './paces.ts';

/** The address of the database, which is on this machine. */
const systemClock: Clock = { now: () => Date.now() as Instant };

export type TestFeed = Awaited<ReturnType<typeof openFeed>>;

/** A feed whose heartbeats are sent on request, and all its events. */
export async function openFeed(
  options: Pick<ChangeFeedOptions, 'listenUrl' | 'database'> &
    Partial<Pick<ChangeFeedOptions, 'maxStalenessMs' | 'random' | 'clock'>>,
  problemOf?: TrustProblem,
) {
  const { pause, next, begun } = createPaces();
  const events: ChangeFeedEvent[] = [];
  const told: Change[] = [];
  const feed: StartableChangeFeed = createPostgresChangeFeed(
    {
      maxStalenessMs: 10_000,
      random: () => 0,
      clock: systemClock,
      ...options,
      monotonicClock: { elapsedMs: () => performance.now() },
      report: (event) => events.push(event),
      pause,
    },
    problemOf,
  );
  feed.subscribe((change) => told.push(change));
  await feed.start();
  return {
    feed,
    told,
    events,
    /** Lets the feed continue to its next heartbeat or attempt. */
    next,
    begun,

    /** Waits until the feed has received all changes so far. */
    async hear(): Promise<void> {
      const now = performance.now();
      while ((feed.heardUpTo()?.elapsedMs ?? Number.NEGATIVE_INFINITY) < now) await next();
    },

    /** Waits until the feed detects by itself that it is lost. */
    async lost(): Promise<void> {
      while (feed.state().trusted) await new Promise((resolve) => setTimeout(resolve, 1));
    },
  };
}
