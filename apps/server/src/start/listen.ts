import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer, isIP } from 'node:net';
import { clientNetwork } from '@gatehouse/domain';
import { connectionsOfOneAddress, type Listener } from '@gatehouse/front';
import { DEFAULT_OPS_PORT } from '@gatehouse/installation/settings';
import { createLimitRecorder, type LimitRecorderOptions } from '../logging/limit-log.ts';
import type { Log } from '../logging/line-kind.ts';
import type { Settings } from '../settings/settings.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { createHttpServer, type HttpServerOptions } from './http-server.ts';
import { connectionsWithin, openFilesLimit } from './open-files.ts';
import { StartError } from './start-error.ts';

/** Time limits of the listener for operations, in milliseconds. They are short so that idle connections do not block probes. */
const OPS_TIME_LIMITS = { headers: 1_000, request: 2_000, betweenRequests: 1_000 };

/** The limits are small, because few clients use this listener. */
const OPS_CONNECTIONS = { most: 1_000, perNetwork: 1_000, networkOf: clientNetwork };

/** Other systems do not distribute connections over the processes that share a port, or not in every version. */
const SPREADS_CONNECTIONS = process.platform === 'linux';

export interface ListenOptions extends LimitRecorderOptions {
  readonly tracing?: Pick<Tracing, 'traced'> | undefined;
}

/**
 * Serves at `PORT`, within the limits that the settings and the system set. Throws a `StartError` if that
 * fails.
 */
export async function listen(
  handle: RequestListener,
  settings: Settings,
  options: ListenOptions,
): Promise<Listener> {
  const { HOST: host, PORT: port, WORKERS, MAX_CONNECTIONS: wanted, TRUST_PROXY: except } = settings;
  const openFiles = openFilesLimit();
  const most = connectionsWithin(openFiles, wanted);
  if (most < wanted) {
    const numbers = { max_connections: wanted, connections: most, open_files: openFiles };
    options.log.warn(
      { kind: 'connections_reduced', ...numbers },
      'fewer connections than MAX_CONNECTIONS are accepted: raise LimitNOFILE (ulimit -n)',
    );
  }
  const perNetwork = settings.MAX_CONNECTIONS_PER_ADDRESS ?? connectionsOfOneAddress(most);
  const connections = { most, perNetwork, networkOf: clientNetwork, except };
  const recordLimit = createLimitRecorder(options);
  const sharesPort = WORKERS > 1 || SPREADS_CONNECTIONS;
  // The primary process found the workers' port before it started them.
  if (sharesPort && WORKERS === 1 && port !== 0) await findPort(settings);
  return listenOn(handle, {
    host,
    port,
    sharesPort,
    connections,
    recordLimit,
    traced: options.tracing?.traced,
  });
}

/** Finds a free port for the workers. Their shared sockets would not fail if another program used the port as well. */
export async function findPort({ HOST: host, PORT: port }: Settings): Promise<number> {
  const probe = createServer();
  try {
    await once(probe.listen({ host, port }), 'listening');
  } catch (error) {
    throw explained(error, { host, port });
  }
  const { port: found } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return found;
}

/**
 * Serves health and metrics at `OPS_PORT`, or at another port if the default one is in use: a second server on the same
 * machine often has another `PORT` but no `OPS_PORT`.
 */
export async function listenForOps(handle: RequestListener, settings: Settings, log: Log): Promise<Listener> {
  const { OPS_HOST: host, OPS_PORT: port } = settings;
  const where = { host, timeLimits: OPS_TIME_LIMITS, connections: OPS_CONNECTIONS };
  if (port !== undefined) return listenOn(handle, { ...where, port }, 'OPS_');
  try {
    return await listenOn(handle, { ...where, port: DEFAULT_OPS_PORT }, 'OPS_');
  } catch (error) {
    if (!(error instanceof StartError && codeOf(error.cause) === 'EADDRINUSE')) throw error;
    const server = await listenOn(handle, { ...where, port: 0 }, 'OPS_');
    log.warn({ url: server.url }, `port ${DEFAULT_OPS_PORT} is in use: another one was chosen for OPS_PORT`);
    return server;
  }
}

/** Starts to listen. If that fails, the error contains the settings `${prefix}HOST` and `${prefix}PORT`. */
async function listenOn(handle: RequestListener, where: HttpServerOptions, prefix = ''): Promise<Listener> {
  const server = createHttpServer(handle, where);
  try {
    await server.listen();
    return server;
  } catch (error) {
    throw explained(error, where, prefix);
  }
}

function explained(error: unknown, { host, port }: Pick<HttpServerOptions, 'host' | 'port'>, prefix = '') {
  const address = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const noAddress = `${host} is not an address of this machine: choose another ${prefix}HOST`;
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `${address} is in use by another program: choose another ${prefix}PORT`,
    EACCES: `${address} may not be used by this user: choose another ${prefix}PORT`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
    EAFNOSUPPORT: noAddress,
    EINVAL: noAddress,
    ENOTSUP: 'this system cannot share a port between processes: leave WORKERS unset',
  };
  const problem = problems[codeOf(error)];
  return problem === undefined ? error : new StartError(problem, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
