import { setTimeout as delay } from 'node:timers/promises';
import type { H3 } from 'h3';
import { drain } from '../http/drain.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { Settings } from '../settings/settings.ts';
import { type ListenOptions, listen } from './listen.ts';
import { watchOpenFiles } from './open-files.ts';

/** What answers the requests: this process, or others that it has made for that. */
export interface Front {
  /** Resolves with the address; undefined if it was asked to stop before. */
  start(): Promise<string | undefined>;
  /** Resolves when nothing is answered any more, at once for whoever does not want to wait. */
  stop(impatience: AbortSignal): Promise<void>;
}

/** This process, which listens or fails. */
export interface OwnFront extends Front {
  start(): Promise<string>;
}

/** From the request to stop until what is not answered is cut, in milliseconds; no delay is as long. */
const CUT_AFTER_MS = 8_000;

/** Serves in this process. Before the port is closed, those who use it may turn to another one. */
export function createFront(app: H3, settings: Settings, options: ListenOptions): OwnFront {
  const { DRAIN_DELAY_MS: drainDelayMs } = settings;
  let server: HttpServer | undefined;
  let watch: Disposable | undefined;
  return {
    async start() {
      server = await listen(app, settings, options);
      watch = watchOpenFiles(options);
      return server.url;
    },
    async stop(impatience) {
      if (!server) return;
      if (drainDelayMs > 0)
        await delay(drainDelayMs, undefined, { signal: impatience }).catch(() => undefined);
      watch?.[Symbol.dispose]();
      await drain(server, { cutAfterMs: CUT_AFTER_MS - drainDelayMs, cutNow: impatience });
    },
  };
}
