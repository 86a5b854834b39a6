import type { UserId } from '@gatehouse/domain/users';
import { createFairQueue } from '@gatehouse/queues';
import type { PostgresPool } from 'kysely';
import { type Asker, type AskerKey, currentAsker, keyOf } from './askers.ts';
import type { InTime } from './in-time.ts';
import { connectIn, createLane, enterLanes } from './lane.ts';

/** The number of the pool's connections that are reserved for sign-ins and for work outside requests. */
const SPARE_CONNECTIONS = 1;
/**
 * How many reads may wait for a connection. Only a flood of requests has more. A fast database answers that many reads
 * of one user in time.
 */
const READS = { queued: 4_096, queuedPerKey: 1_024 };
/** How many statements of web pages may wait for a connection. No person opens pages faster. */
const PAGES = { queued: 1_024, queuedPerKey: 64 };
/** How many statements of an extension may wait for a connection. More requests of one user are a flood. */
const EXTENSIONS = { queued: Number.POSITIVE_INFINITY, queuedPerKey: 100 };
/**
 * The largest share of all connections that web pages may use, and of the API's connections that unknown clients may
 * use, and that refreshes of services may use.
 */
const THIRD = 1 / 3;

/**
 * The largest number of reads that share one statement. With more, the cost of each read would not fall further, and the
 * next user's reads would wait longer for the statement to end.
 */
const SHARING_READS = 8;

/**
 * The kinds of statements that several reads share. All statements of a kind together wait in turn like the statements
 * of one user.
 */
export type SharedStatement = 'token records' | 'organization views';

/**
 * The key of all unknown clients. Together they wait in turn like one user, because one client can use any number of
 * networks.
 */
const UNKNOWN = 'unknown';
/**
 * The key of the refreshes of all services. Together they wait in turn like one user, apart from the introspections of
 * any service: a client waits for an introspection, and no client waits for a refresh.
 */
const REFRESHES = 'refreshes';

/** The longest waits for a connection. */
interface Patience {
  /** Waits for a read as long as an API request may wait. */
  readonly inTime: InTime;
  /** The longest wait of a web page, in milliseconds. */
  readonly pageMs: number;
  /** The longest wait of an extension, in milliseconds. */
  readonly extensionMs: number;
}

export type Lanes = ReturnType<typeof createLanes>;

/**
 * Divides a pool of this size into lanes. A lane has a number of connections, a limit for the callers that may wait for
 * a connection, and a longest wait. While no other user waits, one user may use all connections of the API, and all but
 * one connection of the web pages.
 */
export function createLanes(poolSize: number, { inTime, pageMs, extensionMs }: Patience) {
  const connections = Math.max(1, poolSize - SPARE_CONNECTIONS);
  const ofPages = Math.max(1, Math.floor(poolSize * THIRD));
  const reads = { name: 'reads', patience: inTime, ...READS };
  const third = { ...reads, concurrency: Math.max(1, Math.floor(connections * THIRD)) };
  const api = createLane<AskerKey | SharedStatement | typeof UNKNOWN | typeof REFRESHES>({
    ...reads,
    concurrency: connections,
  });
  const unknown = createLane<AskerKey | typeof UNKNOWN>(third);
  const refreshes = createLane<AskerKey | typeof REFRESHES>(third);
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
    /** The queue of the reads that share statements. */
    sharing,
    unknown,
    pages,
    /** Creates the share of one extension, with this number of connections. */
    extension,
    /** The connections that all extensions together may use. */
    extensions: extension(Math.ceil(poolSize / 2)),

    /** The number of waiting statements and reads, not counting extensions. */
    waiting: () =>
      api.waiting() + unknown.waiting() + refreshes.waiting() + pages.waiting() + sharing.load().waiting,

    /**
     * Waits in the queue of a user or client until a connection may be taken. The returned function lets the next
     * waiting statement take a connection.
     */
    async enter(asker: Asker): Promise<() => void> {
      const own = keyOf(asker);
      if (asker.lane === 'refreshes') {
        return enterLanes<AskerKey | typeof REFRESHES>([
          [refreshes, own],
          [api, REFRESHES],
        ]);
      }
      if (asker.lane !== 'unknown') return enterLanes([[asker.lane === 'pages' ? pages : api, own]]);
      return enterLanes<AskerKey | typeof UNKNOWN>([
        [unknown, own],
        [api, UNKNOWN],
      ]);
    },
  };
}

/**
 * Creates a pool in which statements for a user or client wait in a queue. Other statements get a free connection at
 * once.
 */
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
