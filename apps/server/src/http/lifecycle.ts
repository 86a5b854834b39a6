import type { ServerResponse } from 'node:http';
import { latestResponse } from '@gatehouse/front';

/** The stage of the process, which changes while it serves. */
export interface Lifecycle {
  /** `starting`: not everything is ready. `draining`: the process is about to end. */
  stage: 'starting' | 'serving' | 'draining';
}

/**
 * Before the process ends, the last response on a kept-alive connection tells its client to close the connection, so that it
 * need not be cut. Requests that have arrived by then are answered first.
 */
export function createEndsConnection(lifecycle: Readonly<Lifecycle>) {
  return (response: ServerResponse) =>
    lifecycle.stage === 'draining' && latestResponse(response.req.socket) === response;
}
