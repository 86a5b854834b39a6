import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { drain } from '../http/drain.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { Lifecycle } from '../http/lifecycle.ts';

export interface ShutDownOptions {
  readonly server: HttpServer;
  readonly opsServer: HttpServer;
  readonly lifecycle: Lifecycle;
  readonly drainDelayMs: number;
  readonly impatience: AbortSignal;
  readonly log: Logger;
}

/** From the request to stop until what is not answered is cut, in milliseconds. */
const CUT_AFTER_MS = 8_000;
/** However long the delay was, what came last has so long. */
const LEAST_CUT_AFTER_MS = 1_000;

/**
 * Tells those who ask that this process is about to end, lets them turn to another one, and answers what was
 * received. The second listener goes last, so that it can be asked until then.
 */
export async function shutDown(options: ShutDownOptions): Promise<void> {
  const { server, opsServer, lifecycle, drainDelayMs, impatience, log } = options;
  lifecycle.stage = 'draining';
  if (drainDelayMs > 0) await delay(drainDelayMs, undefined, { signal: impatience }).catch(() => undefined);
  const cutAfterMs = Math.max(CUT_AFTER_MS - drainDelayMs, LEAST_CUT_AFTER_MS);
  await drain(server, { cutAfterMs, cutNow: impatience });
  await drain(opsServer, { cutAfterMs: 0, cutNow: impatience });
  log.debug('every connection is closed');
}
