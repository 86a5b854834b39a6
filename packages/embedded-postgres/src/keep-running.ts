import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff } from '@gatehouse/domain/time';
import { messageOf } from './files.ts';
import type { Membership } from './membership.ts';

/** The pauses between failed attempts to restart the server. Each failure is reported. */
const RETRY = { firstMs: 500, longestMs: 2_000, random: Math.random };

interface KeepRunningOptions {
  /** Connects to the server again, or starts it again. Resolves with `undefined` once `wanted` returns false. */
  readonly rejoin: (wanted: () => boolean) => Promise<Membership | undefined>;
  /** Called with a line for the log when the server has died, when it runs again, and when a restart has failed. */
  readonly onIncident: (message: string) => void;
  /** Waits between two attempts to restart the server. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Keeps the embedded PostgreSQL running: if the server dies, it is started again on the same data, and this process
 * connects to it. If several processes use the server, one of them starts it, and all others connect to it. When the
 * returned function is called, this process no longer restarts or uses the server.
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
