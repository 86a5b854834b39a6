import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Settings } from '../settings/settings.ts';

const HOUR_MS = 3_600_000;
/** After a failure, in milliseconds. */
const RETRY_MS = 60_000;

interface Housekeeping {
  /** Deletes one batch of old sessions. */
  readonly sweepSessions: () => Promise<{ readonly more: boolean }>;
  /** Returns the number of tokens whose addresses were deleted. */
  readonly forgetAddresses: (which: 'old' | 'all') => Promise<number>;
  readonly settings: Pick<Settings, 'USAGE_ADDRESSES'>;
  readonly log: Logger;
  /** Waits; rejects if the signal is aborted. Its timer does not keep the process alive. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Deletes what is no longer needed, now and every hour: old sessions, and addresses of use (all of them, where they are
 * switched off; servers that still record them may share the database, so once is not enough). Several servers can do so at
 * once. Returns what stops it, which resolves once the work in progress is done.
 */
export function startHousekeeping(housekeeping: Housekeeping): () => Promise<void> {
  const { sweepSessions, forgetAddresses, settings, log, pause = unrefDelay } = housekeeping;
  const stopping = new AbortController();
  const { signal } = stopping;
  const which = settings.USAGE_ADDRESSES === 'off' ? 'all' : 'old';

  async function deleteSessions(): Promise<void> {
    while (!signal.aborted && (await sweepSessions()).more);
  }
  async function deleteAddresses(): Promise<void> {
    const tokens = await forgetAddresses(which);
    if (tokens > 0) log.info({ tokens, which }, 'addresses of use were deleted');
  }

  async function repeat(what: string, work: () => Promise<void>): Promise<void> {
    const attempt = () =>
      work().then(
        () => HOUR_MS,
        (error) => {
          if (!signal.aborted) log.warn({ err: error }, `${what} cannot be deleted`);
          return RETRY_MS;
        },
      );
    // A pause rejects when it is interrupted.
    while (!signal.aborted) await pause(await attempt(), signal).catch(() => undefined);
  }

  const ended = Promise.all([
    repeat('old sessions', deleteSessions),
    repeat('addresses of use', deleteAddresses),
  ]);
  return async () => {
    stopping.abort();
    await ended;
  };
}

const unrefDelay = (milliseconds: number, signal: AbortSignal) =>
  delay(milliseconds, undefined, { signal, ref: false });
