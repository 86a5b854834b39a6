import { setTimeout as delay } from 'node:timers/promises';
import { statusOf } from './ask.ts';

/** The time within which a revocation takes effect everywhere, in milliseconds. */
export const BOUND_MS = 1000;

/** The time after which a server without any verdict fails the test. */
const PATIENCE_MS = 20_000;

/**
 * Revokes a token during requests to servers. Returns for each when it accepted the token last, in milliseconds after
 * the acknowledgement; beyond the bound it may be only the first such acceptance.
 */
export async function latenessesOf(
  urls: readonly string[],
  token: string,
  revoke: () => Promise<unknown>,
): Promise<readonly number[]> {
  let acknowledgedAt = Number.POSITIVE_INFINITY;
  async function lastAccepted(url: string): Promise<number> {
    let last = 0;
    for (;;) {
      const sentAt = performance.now();
      const status = await statusOf(url, token);
      const lateness = sentAt - acknowledgedAt;
      if (status === 200) last = Math.max(last, lateness);
      if (status === 401 || last > BOUND_MS) return last;
      if (status !== 200 && status !== 503) throw new Error(`answered ${status}`);
      if (lateness > PATIENCE_MS) throw new Error('the token is neither accepted nor refused');
      await delay(2);
    }
  }
  const revoking = revoke().then(() => {
    acknowledgedAt = performance.now();
  });
  const [latenesses] = await Promise.all([Promise.all(urls.map(lastAccepted)), revoking]);
  return latenesses;
}
