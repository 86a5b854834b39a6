import type { UserId } from '@gatehouse/domain/users';
import { createFairQueue } from '@gatehouse/queues';
import type { PostgresPool } from 'kysely';
import { type Asker, type AskerKey, currentAsker, keyOf } from './askers.ts';
import type { InTime } from './in-time.ts';
import { connectIn, createLane, enterLanes } from './lane.ts';

/** The number of the pool's connections that lanes leave to sign-ins and other work. */
const SPARE_CONNECTIONS = 1;
/** The limits for reads. Only a flood has more at once. A fast database answers that many reads of one user in time. */
const READS = { queued: 4_096, queuedPerKey: 1_024 };
/** The limits for pages. No person clicks that fast. */
const PAGES = { queued: 1_024, queuedPerKey: 64 };
/** The limits for extensions. More requests of one user are a flood. */
const EXTENSIONS = { queued: Number.POSITIVE_INFINITY, queuedPerKey: 100 };
/** The largest share of the connections that pages use, and of the connections of the API that unknown clients use. */
const THIRD = 1 / 3;

/**
 * The largest number of reads that share one statement. With more, the cost of each read would not fall further, and the
 * next user's reads would wait longer for the statement to end.
 */
const SHARING_READS = 8;

/** A kind of statements that several reads share. The statements of a kind wait in turn like one user. */
export type SharedStatement = 'token records' | 'organization views';

/** The key of all unknown clients. They wait in turn like one user, because one client can have any number of networks. */
const UNKNOWN = 'unknown';

/** The longest waits for a connection. */
interface Patience {
  /** Waits for a read as long as an API request may wait. */
  readonly inTime: InTime;
  /** The wait for a page, in milliseconds. */
  readonly pageMs: number;
  /** The wait for an extension, in milliseconds. */
  readonly extensionMs: number;
}

export type Lanes = ReturnType<typeof createLanes>;

/**
 * Creates the lanes of a pool of this size. A lane has a number of connections, a number of callers that may wait for them,
 * and a longest wait. While no other user waits, one user may use all connections of the lane of the API, and all but one
 * of the lane of pages.
 */
export function createLanes(poolSize: number, { inTime, pageMs, extensionMs }: Patience) {
  const connections = Math.max(1, poolSize - SPARE_CONNECTIONS);
  const ofPages = Math.max(1, Math.floor(poolSize * THIRD));
  const reads = { name: 'reads', patience: inTime, ...READS };
  const api = createLane<AskerKey | SharedStatement | typeof UNKNOWN>({ ...reads, concurrency: connections });
  const unknown = createLane<AskerKey | typeof UNKNOWN>({
    ...reads,
    concurrency: Math.max(1, Math.floor(connections * THIRD)),
  });
  const pages = createLane<AskerKey>({
    name: 'pages',
    patience: pageMs,
    ...PAGES,
    concurrency: ofPages,
    // One connection is left to other users. Otherwise one user with slow lists could occupy all connections of pages.
    concurrencyPerKey: Math.max(1, ofPages - 1),
  });
  const sharing = createFairQueue<AskerKey>({ ...READS, concurrency: SHARING_READS * connections });
  const extension = (most: number) =>
    createLane<UserId | undefined>({
      name: 'statements of the extension',
      patience: extensionMs,
      ...EXTENSIONS,
      concurrency: most,
    });
  return {
    api,
    /** Reads that share statements. */
    sharing,
    unknown,
    pages,
    /** Creates the lane of one extension, with this number of connections. */
    extension,
    /** The lane that all extensions share. */
    extensions: extension(Math.ceil(poolSize / 2)),

    /** The number of waiting statements and reads, not counting extensions. */
    waiting: () => api.waiting() + unknown.waiting() + pages.waiting() + sharing.load().waiting,

    /** Waits in the asker's lane until a connection may be taken. */
    async enter(asker: Asker): Promise<() => void> {
      const own = keyOf(asker);
      if (asker.lane !== 'unknown') return enterLanes([[asker.lane === 'pages' ? pages : api, own]]);
      return enterLanes<AskerKey | typeof UNKNOWN>([
        [unknown, own],
        [api, UNKNOWN],
      ]);
    },
  };
}

/** Creates a pool whose statements wait in the lane of their asker. Statements without an asker get a connection at once. */
export function createLanePool(pool: PostgresPool, lanes: Pick<Lanes, 'enter'>): PostgresPool {
  return {
    options: {},
    connect() {
      const asker = currentAsker();
      return asker ? connectIn(pool, lanes.enter(asker)) : pool.connect();
    },
    end: () => pool.end(),
  };
}
