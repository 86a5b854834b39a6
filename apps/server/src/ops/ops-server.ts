import type { RequestListener } from 'node:http';
import { clientNetwork } from '@gatehouse/domain';
import type { Listener } from '@gatehouse/front';
import { DEFAULT_OPS_PORT } from '@gatehouse/installation/settings';
import type { Log } from '../logging/line-kind.ts';
import type { Settings } from '../settings/settings.ts';
import { codeOf, listenOn } from '../start/http-server.ts';
import { StartError } from '../start/start-error.ts';

/**
 * Time limits in milliseconds. They are short, so that idle connections do not use up the connection limit and block
 * health checks.
 */
const TIME_LIMITS = { headers: 1_000, request: 2_000, betweenRequests: 1_000 };

/** Limits of the operations listener. They are small, because few clients request health checks and metrics. */
const CONNECTIONS = { most: 1_000, perNetwork: 1_000, networkOf: clientNetwork };

/**
 * Serves health checks and metrics at `OPS_PORT`. If that setting is missing and the default port is in use, any free
 * port is used: a second server on the same machine often has another `PORT` but no `OPS_PORT`.
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
    log.warn(
      { url: server.url },
      `port ${DEFAULT_OPS_PORT} is in use: health checks and metrics are at \`url\` until OPS_PORT is set`,
    );
    return server;
  }
}
