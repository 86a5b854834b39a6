import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff } from '@gatehouse/domain/time';
import { messageOf } from './files.ts';
import type { Membership } from './membership.ts';

/** The pauses between failed restarts. Each failure is reported. */
const RETRY = { firstMs: 500, longestMs: 2_000, random: Math.random };

interface KeepRunningOptions {
  /** Joins the server, or starts it again. Gives up with `undefined` once the server is no longer `wanted`. */
  readonly rejoin: (wanted: () => boolean) => Promise<Membership | undefined>;
  /** Called with a line for the log when the server died, when it runs again, and when a restart failed. */
  readonly onIncident: (message: string) => void;
  /** Waits between failed restarts. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Keeps the embedded PostgreSQL running: if the server dies, its database is started again, and this process joins it. If
 * several processes use the server, one of them starts it, and the others join. The returned function stops this, and leaves
 * the server.
 */
export function keepRunning(
  first: Membership,
  { rejoin, onIncident, pause = delay }: KeepRunningOptions,
): () => Promise<void> {
  let closing: Promise<void> | undefined;
  let current: Promise<Membership | undefined> = Promise.resolve(first);
  const wanted = () => closing === undefined;

  const watch = ({ lost }: Membership) =>
    void lost.then(() => {
      if (wanted()) current = restart();
    });

  async function restart(): Promise<Membership | undefined> {
    onIncident('The embedded PostgreSQL is gone; restarting it.');
    const backoff = createBackoff(RETRY);
    for (;;) {
      try {
        const membership = await rejoin(wanted);
        if (membership === undefined) return undefined;
        watch(membership);
        onIncident(
          membership.url === first.url
            ? 'The embedded PostgreSQL is back.'
            : 'The embedded PostgreSQL is back at another address: restart this program.',
        );
        return membership;
      } catch (error) {
        if (!wanted()) return undefined;
        await pause(backoff.next());
        onIncident(messageOf(error));
      }
    }
  }

  watch(first);
  return () => {
    closing ??= current.then((membership) => membership?.leave());
    return closing;
  };
}
