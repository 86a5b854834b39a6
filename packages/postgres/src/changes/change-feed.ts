import type {
  Change,
  ChangeFeedEvent,
  ChangeFeedState,
  HeardUpTo,
  StartableChangeFeed,
} from '@gatehouse/domain/changes';
import {
  type Clock,
  type ClockComparison,
  compareClocks,
  createBackoff,
  isSkewed,
  type MonotonicClock,
} from '@gatehouse/domain/time';
import type { Database } from '../database/database.ts';
import { reasonOf } from '../database/faults.ts';
import { type Pause, pause as pauseByTimer } from '../database/pause.ts';
import type { ConnectionString } from '../database/pool/connection-string.ts';
import { keepProbingAddresses } from './address-probe.ts';
import { type TrustProblem, trustProblem } from './change-feed-trust.ts';
import { CHANGE_CHANNEL, parseChangeNotification } from './change-notification.ts';
import { type ListeningConnection, openListeningConnection } from './listening-connection.ts';

export interface ChangeFeedOptions {
  /** The URL of a direct connection to the database of the pool, not through a connection pooler. */
  readonly listenUrl: ConnectionString;
  readonly database: Database;
  /**
   * Makes the feed test regularly which server the pool's URL connects to. With `listensElsewhere`, the feed also tests
   * `listenUrl`. Default: no tests, for example for the embedded database, which cannot be replaced.
   */
  readonly addressProbe?: { readonly listensElsewhere: boolean } | undefined;
  /**
   * The longest time that a heartbeat may stay unanswered, in milliseconds. After that, the feed opens a new
   * connection.
   */
  readonly maxStalenessMs: number;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  /** Called with an event for the log. A reason for distrust is reported once until the feed is trusted again. */
  readonly report: (event: ChangeFeedEvent) => void;
  /** Waits between heartbeats, and before the next attempt to connect. */
  readonly pause?: Pause;
  /** Returns a random number from 0 to below 1, which spreads the reconnects of several servers. */
  readonly random?: () => number;
}

const HEARTBEAT_MS = 250;
const RETRY = { firstMs: 50, longestMs: 1000 };

/**
 * Creates a change feed by LISTEN and NOTIFY, on a connection of its own.
 *
 * @param problemOf judges heartbeats. Some tests pass a function that judges wrongly, to check that such a mistake
 * makes other tests fail
 */
export function createPostgresChangeFeed(
  options: ChangeFeedOptions,
  problemOf: TrustProblem = trustProblem,
): StartableChangeFeed {
  const { listenUrl, database, maxStalenessMs, clock, monotonicClock, report, addressProbe } = options;
  const { pause = pauseByTimer, random = Math.random } = options;
  const listeners = new Set<(change: Change) => void>();
  const hearers = new Set<() => void>();
  const closing = new AbortController();
  const reported = new Set<string>();
  const decided = Promise.withResolvers<void>();
  let heard: HeardUpTo | undefined;
  let state: ChangeFeedState = { trusted: false, reason: 'the change feed is not connected yet' };
  let unknownReported = false;
  let skewed = false;
  let running: Promise<unknown> | undefined;
  let current: ListeningConnection | undefined;

  const tell = (change: Change) => {
    for (const listener of listeners) listener(change);
  };

  function trust(upTo: HeardUpTo): void {
    heard = upTo;
    if (!state.trusted) {
      state = { trusted: true };
      reported.clear();
      report({ kind: 'trusted' });
      decided.resolve();
    }
    for (const hearer of hearers) hearer();
  }

  /**
   * Records why the feed is not trusted. Cached data stays usable for a while, because the received changes stay valid.
   */
  function distrust(reason: string): void {
    state = { trusted: false, reason };
    decided.resolve();
    if (closing.signal.aborted || reported.has(reason)) return;
    reported.add(reason);
    report({ kind: 'untrusted', reason });
  }

  /** Makes all cached data invalid: the received changes may have come from a server that is no longer the primary. */
  function forget(): void {
    if (heard === undefined) return;
    heard = undefined;
    tell({ kind: 'everything' });
  }

  function hear(payload: string): void {
    const changes = parseChangeNotification(payload);
    changes?.forEach(tell);
    if (changes || unknownReported) return;
    unknownReported = true;
    report({ kind: 'unknown_notification', payload: payload.slice(0, 100) });
  }

  function noteClocks(comparison: ClockComparison): void {
    const wasSkewed = skewed;
    skewed = isSkewed(comparison);
    if (skewed && !wasSkewed) report({ kind: 'clock_skewed', skewMs: comparison.skewMs });
  }

  /** Runs one connection until it is lost. Returns whether it was ever trusted. */
  async function listen(): Promise<boolean> {
    const over = new AbortController();
    const end = AbortSignal.any([over.signal, closing.signal]);
    let trusted = false;
    let connection: ListeningConnection | undefined;
    try {
      connection = await openListeningConnection({
        url: listenUrl,
        database,
        channel: CHANGE_CHANNEL,
        applicationName: 'gatehouse change feed',
        answerWithinMs: maxStalenessMs,
        giveUp: closing.signal,
        problemOf,
        onNotification: hear,
        onLost(reason) {
          distrust(reason);
          over.abort();
        },
      });
      current = connection;
      // Changes may have been missed before this connection listened, so all cached data becomes invalid.
      tell({ kind: 'everything' });
      while (!end.aborted) {
        const sent = { elapsedMs: monotonicClock.elapsedMs(), at: clock.now() };
        const theirs = await connection.heartbeat();
        const comparison = compareClocks(sent.at, theirs, clock.now());
        if (end.aborted) break;
        trusted = true;
        trust({ ...sent, database: connection.database() });
        noteClocks(comparison);
        await pause(HEARTBEAT_MS, end);
      }
    } catch (error) {
      if (!end.aborted) distrust(reasonOf(error));
    }
    await connection?.close();
    return trusted;
  }

  async function keepListening(): Promise<void> {
    const backoff = createBackoff({ ...RETRY, random });
    while (!closing.signal.aborted) {
      const trusted = await listen();
      if (trusted) backoff.reset();
      await pause(backoff.next(), closing.signal);
    }
  }

  async function keepProbing(): Promise<void> {
    if (!addressProbe) return;
    const elsewhere = addressProbe.listensElsewhere ? listenUrl : undefined;
    await keepProbingAddresses({ ...options, pause, listenUrl: elsewhere, signal: closing.signal });
  }

  const unsubscribe = database.primary.subscribe(forget);

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
    state: () => state,
    start() {
      running ??= Promise.all([keepListening(), keepProbing()]);
      return decided.promise;
    },
    async close() {
      closing.abort();
      distrust('the change feed is closed');
      forget();
      unsubscribe();
      // Closes the connection now, because its last statement may never be answered.
      await current?.close();
      await running;
    },
  };
}
