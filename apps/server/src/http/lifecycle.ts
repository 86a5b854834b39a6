import type { ServerResponse } from 'node:http';
import { latestResponse } from '@gatehouse/front';

/** The current stage of a process, which the process updates. */
export interface Lifecycle {
  /**
   * `starting`: the process is not ready. `draining`: the process is stopping, and answers the requests that were
   * received.
   */
  stage: 'starting' | 'serving' | 'draining';
}

/**
 * Creates the function that decides whether a response tells its client to close the connection. While the process is
 * stopping, the response to the last received request of each connection does this. So the server need not close
 * connections that clients still use.
 */
export function createEndsConnection(lifecycle: Readonly<Lifecycle>) {
  return (response: ServerResponse) =>
    lifecycle.stage === 'draining' && latestResponse(response.req.socket) === response;
}
