import type { Logger } from 'pino';
import { drain } from '../http/drain.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { Lifecycle } from '../http/lifecycle.ts';
import type { Front } from './front.ts';

export interface ShutDownOptions {
  readonly front: Front;
  /** Where this process has one. */
  readonly opsServer?: HttpServer | undefined;
  readonly lifecycle: Lifecycle;
  readonly impatience: AbortSignal;
  readonly log: Logger;
}

/**
 * Tells those who ask that this process is about to end, and answers what was received. The second listener
 * goes last, so that it can be asked until then.
 */
export async function shutDown(options: ShutDownOptions): Promise<void> {
  const { front, opsServer, lifecycle, impatience, log } = options;
  lifecycle.stage = 'draining';
  await front.stop(impatience);
  if (opsServer) await drain(opsServer, { cutAfterMs: 0, cutNow: impatience });
  log.debug('every connection is closed');
}
