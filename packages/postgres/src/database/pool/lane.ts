import { UnavailableFault } from '@gatehouse/domain';
import { createFairQueue, type FairQueueLimits, type NoPlaceInQueue } from '@gatehouse/queues';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { InTime } from './in-time.ts';

export type Lane<Key> = ReturnType<typeof createLane<Key>>;

interface LaneOptions extends FairQueueLimits {
  /** The word for the callers in error messages, such as `reads`. */
  readonly name: string;
  /** The longest wait for a connection: as long as a request waits for a read, or a time in milliseconds. */
  readonly patience: InTime | number;
}

/**
 * Creates a lane: a share of the pool's connections, with a queue of callers that wait for a connection. Callers with
 * different keys take turns.
 */
export function createLane<Key>({ name, patience, ...limits }: LaneOptions) {
  const queue = createFairQueue<Key>(limits);

  async function wait(key: Key): Promise<void> {
    const refusal = await (typeof patience === 'number'
      ? queue.enter(key, { waitMs: patience })
      : whileWanted(patience, (isWanted) => queue.enter(key, { isWanted })));
    if (refusal) throw noPlace(name, refusal);
  }

  return {
    /**
     * Waits until a connection of this share is free. Throws an `UnavailableFault` if none becomes free in time, or if
     * too many callers wait.
     */
    enter: (key: Key) => (queue.enterNow(key) ? undefined : wait(key)),
    leave: queue.leave,
    /** Runs the work once a connection of this share is free, and waits for the connection without a time limit. */
    async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
      const done = await queue.run(key, work);
      if (!done.ok) throw noPlace(name, done.error);
      return done.value;
    },
    /** The number of waiting callers. */
    waiting: () => queue.load().waiting,
  };
}

/**
 * Waits as long as a request may wait. When that time is over, `isWanted` returns false, so that nothing is begun for a
 * request that has given up.
 */
export async function whileWanted<T>(
  inTime: InTime,
  wait: (isWanted: () => boolean) => Promise<T>,
): Promise<T> {
  let isWanted = true;
  try {
    return await inTime(wait(() => isWanted));
  } finally {
    isWanted = false;
  }
}

/** Returns the fault of a statement or read for which no connection became free. */
export function noPlace(name: string, limit: NoPlaceInQueue): UnavailableFault {
  if (limit === 'time') return new UnavailableFault(`no database connection became free in time for ${name}`);
  return new UnavailableFault(
    `too many ${name}${limit === 'key' ? ' of one user or network' : ''} wait for a database connection`,
  );
}

/**
 * Waits for a connection of each of these shares of the pool, in this order. The returned function frees all of them.
 */
export async function enterLanes<Key>(
  lanes: readonly (readonly [lane: Lane<Key>, key: Key])[],
): Promise<() => void> {
  const entered: (typeof lanes)[number][] = [];
  const leave = () => {
    for (const [lane, key] of entered) lane.leave(key);
  };
  try {
    for (const each of lanes) {
      const [lane, key] = each;
      await lane.enter(key);
      entered.push(each);
    }
    return leave;
  } catch (fault) {
    leave();
    throw fault;
  }
}

/**
 * Takes a connection of the pool after `entering` has resolved. When the connection is released, its place in each lane
 * is free again.
 */
export async function connectIn(
  pool: PostgresPool,
  entering: Promise<() => void>,
): Promise<PostgresPoolClient> {
  const leave = await entering;
  try {
    const client = await pool.connect();
    const release = (destroy?: boolean) => {
      client.release(destroy);
      leave();
    };
    return { query: client.query, release };
  } catch (fault) {
    leave();
    throw fault;
  }
}
