import { setTimeout } from 'node:timers/promises';
import type { ChangeFeedProbe } from '@gatehouse/domain/health';
import { type ChangeFeedOptions, createChangeFeed } from './change-feed.ts';
import { type TrustProblem, trustProblem } from './change-feed-trust.ts';

export interface ChangeFeedProbeOptions extends Omit<ChangeFeedOptions, 'report'> {
  /** After so long without trust, from the first attempt that failed, it is given up, in milliseconds. */
  readonly patienceMs?: number;
}

/** Tries a change feed as a server opens it. */
export function createPostgresChangeFeedProbe(options: ChangeFeedProbeOptions): ChangeFeedProbe {
  return createChangeFeedProbe(options, trustProblem);
}

/** With another opinion on what heartbeats prove, for tests. */
export function createChangeFeedProbe(
  { patienceMs = 2000, ...options }: ChangeFeedProbeOptions,
  problemOf: TrustProblem,
): ChangeFeedProbe {
  return {
    async try() {
      const over = new AbortController();
      const report = ({ kind }: { readonly kind: string }) => {
        if (kind === 'trusted') over.abort();
      };
      const feed = createChangeFeed({ ...options, report }, problemOf);
      try {
        await feed.start();
        // A connection may be lost once, of any feed: it counts whether it is there again soon.
        await setTimeout(patienceMs, undefined, { signal: over.signal }).catch(() => undefined);
        return feed.state();
      } finally {
        await feed.close();
      }
    },
  };
}
