import type { Logger } from 'pino';
import { drain } from '../http/drain.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { Lifecycle } from '../http/lifecycle.ts';
import type { RequestServer } from './request-server.ts';

export interface ShutDownOptions {
  readonly requestServer: RequestServer;
  /** The operations listener; workers have none. */
  readonly opsServer?: HttpServer | undefined;
  readonly lifecycle: Lifecycle;
  readonly stopNow: AbortSignal;
  readonly log: Logger;
}

/**
 * Makes `/ready` report the shutdown, and answers the requests that were received. The operations listener is closed
 * last, so that it responds until then.
 */
export async function shutDown(options: ShutDownOptions): Promise<void> {
  const { requestServer, opsServer, lifecycle, stopNow, log } = options;
  lifecycle.stage = 'draining';
  await requestServer.stop(stopNow);
  if (opsServer) await drain(opsServer, { cutAfterMs: 0, cutNow: stopNow });
  log.debug('every connection is closed');
}
