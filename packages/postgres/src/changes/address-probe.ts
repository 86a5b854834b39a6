import type { ChangeFeedEvent } from '@gatehouse/domain/changes';
import type { MonotonicClock } from '@gatehouse/domain/time';
import pg from 'pg';
import type { Database } from '../database/database.ts';
import type { Pause } from '../database/pause.ts';
import type { ConnectionString } from '../database/pool/connection-string.ts';
import { visitServer } from '../database/pool/fresh-connection.ts';
import { CANNOT_SAY } from '../database/primary/primary-server.ts';

interface AddressProbeOptions {
  readonly database: Pick<Database, 'primary' | 'findPrimary'>;
  /** The URL on which the change feed listens, if it differs from the URL of the pool. */
  readonly listenUrl?: ConnectionString | undefined;
  /** The longest time for which this process may use an old primary without knowing, in milliseconds. */
  readonly maxStalenessMs: number;
  readonly monotonicClock: MonotonicClock;
  readonly report: (event: ChangeFeedEvent) => void;
  readonly pause: Pause;
  /** When this signal is aborted, the probes stop. */
  readonly signal: AbortSignal;
}

/** The maximum time between the beginnings of two tests of the database URLs, in milliseconds. */
const EVERY_MS = 1000;

/**
 * The share of `maxStalenessMs` after which the next test begins. The rest of that time is left for opening the
 * connection of the test.
 */
const SHARE_OF_STALENESS = 0.75;

/**
 * Opens new connections regularly, to find to which servers the URLs of the database lead. After a failover, open
 * connections may still be connected to the old primary, which answers as before because it does not know that it was
 * replaced. If a new connection fails, that has no effect, because it does not prove that the primary was replaced.
 */
export async function keepProbingAddresses(options: AddressProbeOptions): Promise<void> {
  const { database, listenUrl, maxStalenessMs, monotonicClock, report, pause, signal } = options;
  const everyMs = Math.min(EVERY_MS, maxStalenessMs * SHARE_OF_STALENESS);
  let reported = false;

  async function findListened(): Promise<void> {
    const server = listenUrl === undefined ? undefined : await visitServer(listenUrl, signal);
    if (server !== undefined) database.primary.sawListener(server);
  }

  while (!signal.aborted) {
    const since = monotonicClock.elapsedMs();
    const tests = await Promise.allSettled([database.findPrimary(signal), findListened()]);
    for (const test of tests) {
      if (reported || test.status === 'fulfilled' || !cannotSay(test.reason)) continue;
      reported = true;
      report({ kind: 'servers_unknown', reason: test.reason.message });
    }
    await pause(Math.max(0, everyMs - (monotonicClock.elapsedMs() - since)), signal);
  }
}

function cannotSay(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && CANNOT_SAY.has(error.code ?? '');
}
