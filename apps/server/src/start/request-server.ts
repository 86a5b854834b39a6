import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Listener } from '@gatehouse/front';
import { drain } from '@gatehouse/front';
import type { Settings } from '../settings/settings.ts';
import { type ListenOptions, listen } from './listen.ts';
import { watchOpenFiles } from './open-files.ts';

/** Answers the requests, in this process or in workers. */
export interface RequestServer {
  /** Resolves with the URL, or with undefined if a stop was requested before. */
  start(): Promise<string | undefined>;
  /** Resolves when all requests are answered and all connections closed. Aborting `stopNow` cuts the rest at once. */
  stop(stopNow: AbortSignal): Promise<void>;
}

/** Longest wait for pending responses after a stop request, in milliseconds; greater than any DRAIN_DELAY_MS. */
const CUT_AFTER_MS = 8_000;

/** Serves in this process. Before it closes the port, it gives load balancers time to choose another server. */
export function createRequestServer(handle: RequestListener, settings: Settings, options: ListenOptions) {
  const { DRAIN_DELAY_MS: drainDelayMs } = settings;
  let server: Listener | undefined;
  let watch: Disposable | undefined;
  return {
    async start(): Promise<string> {
      server = await listen(handle, settings, options);
      watch = watchOpenFiles(options);
      return server.url;
    },
    async stop(stopNow: AbortSignal): Promise<void> {
      if (!server) return;
      if (drainDelayMs > 0) await delay(drainDelayMs, undefined, { signal: stopNow }).catch(() => undefined);
      watch?.[Symbol.dispose]();
      await drain(server, { cutAfterMs: CUT_AFTER_MS - drainDelayMs, cutNow: stopNow });
    },
  } satisfies RequestServer;
}
