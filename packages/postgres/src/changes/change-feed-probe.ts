import { setTimeout } from 'node:timers/promises';
import type { ChangeFeedProbe } from '@gatehouse/domain/health';
import { type ChangeFeedOptions, createPostgresChangeFeed } from './change-feed.ts';
import type { TrustProblem } from './change-feed-trust.ts';

/**
 * Tests a change feed by opening it in the same way as a server. `patienceMs` says how long the test waits until the
 * feed is trusted, in milliseconds.
 */
export function createPostgresChangeFeedProbe(
  { patienceMs = 2000, ...options }: Omit<ChangeFeedOptions, 'report'> & { readonly patienceMs?: number },
  problemOf?: TrustProblem,
): ChangeFeedProbe {
  return {
    async try() {
      const over = new AbortController();
      const report = ({ kind }: { readonly kind: string }) => {
        if (kind === 'trusted') over.abort();
      };
      const feed = createPostgresChangeFeed({ ...options, report }, problemOf);
      try {
        await feed.start();
        // Any feed may lose its connection once. The test waits until the feed is trusted again.
        await setTimeout(patienceMs, undefined, { signal: over.signal }).catch(() => undefined);
        return feed.state();
      } finally {
        await feed.close();
      }
    },
  };
}
