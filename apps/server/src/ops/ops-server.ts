import type { RequestListener } from 'node:http';
import { clientNetwork } from '@gatehouse/domain';
import type { Listener } from '@gatehouse/front';
import { DEFAULT_OPS_PORT } from '@gatehouse/installation/settings';
import type { Log } from '../logging/line-kind.ts';
import type { Settings } from '../settings/settings.ts';
import { codeOf, listenOn } from '../start/http-server.ts';
import { StartError } from '../start/start-error.ts';

/** Time limits in milliseconds. They are short so that idle connections do not keep health checks out. */
const TIME_LIMITS = { headers: 1_000, request: 2_000, betweenRequests: 1_000 };

/** The limits are small, because few clients ask for health and metrics. */
const CONNECTIONS = { most: 1_000, perNetwork: 1_000, networkOf: clientNetwork };

/**
 * Serves health and metrics at `OPS_PORT`. Without that setting, another port is chosen if the default one is in use: a second
 * server on the same machine often has another `PORT` but no `OPS_PORT`.
 */
export async function listenForOps(handle: RequestListener, settings: Settings, log: Log): Promise<Listener> {
  const { OPS_HOST: host, OPS_PORT } = settings;
  const listenAt = (port: number) =>
    listenOn(handle, { host, port, timeLimits: TIME_LIMITS, connections: CONNECTIONS }, 'OPS_');
  try {
    return await listenAt(OPS_PORT ?? DEFAULT_OPS_PORT);
  } catch (error) {
    const isInUse = error instanceof StartError && codeOf(error.cause) === 'EADDRINUSE';
    if (OPS_PORT !== undefined || !isInUse) throw error;
    const server = await listenAt(0);
    log.warn({ url: server.url }, `port ${DEFAULT_OPS_PORT} is in use: another one was chosen for OPS_PORT`);
    return server;
  }
}
