import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { clientNetwork } from '@gatehouse/domain';
import { connectionsOfOneAddress, drain, type Listener } from '@gatehouse/front';
import { createLimitRecorder, type LimitRecorderOptions } from '../logging/limit-log.ts';
import type { Settings } from '../settings/settings.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import { findPort, listenOn } from './http-server.ts';
import { connectionsWithin, openFilesLimit, watchOpenFiles } from './open-files.ts';

/** Answers the requests, in this process or in workers. */
export interface RequestServer {
  /** Resolves with the URL, or with undefined if a stop was requested before. */
  start(): Promise<string | undefined>;
  /** Resolves when all requests are answered and all connections closed. Aborting `stopNow` cuts the rest at once. */
  stop(stopNow: AbortSignal): Promise<void>;
}

interface RequestServerOptions extends LimitRecorderOptions {
  readonly tracing?: Pick<Tracing, 'traced'> | undefined;
}

/** Longest wait for pending responses after a stop request, in milliseconds; greater than any DRAIN_DELAY_MS. */
const CUT_AFTER_MS = 8_000;

/** Other systems do not distribute connections over the processes that share a port, or not in every version. */
const SPREADS_CONNECTIONS = process.platform === 'linux';

/** Serves in this process. Before it closes the port, it gives load balancers time to choose another server. */
export function createRequestServer(
  handle: RequestListener,
  settings: Settings,
  options: RequestServerOptions,
) {
  const { DRAIN_DELAY_MS: drainDelayMs } = settings;
  let server: Listener | undefined;
  let watch: Disposable | undefined;
  return {
    async start(): Promise<string> {
      server = await listen(options.tracing?.traced(handle) ?? handle, settings, options);
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

/** Serves at `PORT`, within the limits on connections that the settings and the system set. */
async function listen(
  handle: RequestListener,
  settings: Settings,
  options: LimitRecorderOptions,
): Promise<Listener> {
  const { HOST: host, PORT: port, WORKERS, MAX_CONNECTIONS: wanted, TRUST_PROXY: except } = settings;
  const openFiles = openFilesLimit();
  const most = connectionsWithin(openFiles, wanted);
  if (most < wanted) {
    options.log.warn(
      { kind: 'connections_reduced', max_connections: wanted, connections: most, open_files: openFiles },
      'fewer connections than MAX_CONNECTIONS are accepted: raise LimitNOFILE (ulimit -n)',
    );
  }
  const perNetwork = settings.MAX_CONNECTIONS_PER_ADDRESS ?? connectionsOfOneAddress(most);
  const connections = { most, perNetwork, networkOf: clientNetwork, except };
  const sharesPort = WORKERS > 1 || SPREADS_CONNECTIONS;
  // The primary process found the workers' port before it started them.
  if (sharesPort && WORKERS === 1 && port !== 0) await findPort(settings);
  return listenOn(handle, { host, port, sharesPort, connections, recordLimit: createLimitRecorder(options) });
}
