import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Settings } from '../settings/settings.ts';

const HOUR_MS = 3_600_000;
/** After a failure, in milliseconds. */
const RETRY_MS = 60_000;

interface Forgetting {
  /** Returns the number of tokens whose addresses were deleted. */
  readonly forget: (which: 'old' | 'all') => Promise<number>;
  readonly settings: Pick<Settings, 'USAGE_ADDRESSES'>;
  readonly log: Logger;
  /** Waits; rejects if the signal is aborted. Its timer does not keep the process alive. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Deletes addresses of use now and every hour: the old ones or, where they are switched off, all. Servers that still
 * record them may share the database, so once is not enough. Returns what stops it.
 */
export function forgetAddressesHourly({ forget, settings, log, pause = unrefDelay }: Forgetting) {
  const stopping = new AbortController();
  const which = settings.USAGE_ADDRESSES === 'off' ? 'all' : 'old';

  async function once(): Promise<number> {
    try {
      const tokens = await forget(which);
      if (tokens > 0) log.info({ tokens, which }, 'addresses of use were deleted');
      return HOUR_MS;
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'addresses of use cannot be deleted');
      return RETRY_MS;
    }
  }

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) await pause(await once(), stopping.signal);
  }

  const ended = repeat().catch(() => undefined);
  return async () => {
    stopping.abort();
    await ended;
  };
}

const unrefDelay = (milliseconds: number, signal: AbortSignal) =>
  delay(milliseconds, undefined, { signal, ref: false });
