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
  /**
   * Resolves with the URL of the server when it answers requests; with undefined if a stop was requested before that.
   */
  start(): Promise<string | undefined>;
  /**
   * Resolves when all requests are answered and all connections closed. If `stopNow` is aborted, the remaining
   * connections are closed at once.
   */
  stop(stopNow: AbortSignal): Promise<void>;
}

interface RequestServerOptions extends LimitRecorderOptions {
  /** Ends the streams of changes, whose clients then ask another server. Called first when the server stops. */
  readonly endStreams: () => void;
  readonly tracing?: Pick<Tracing, 'traced'> | undefined;
}

/**
 * The time from the stop request until connections with pending responses are closed, in milliseconds. It is greater
 * than any `DRAIN_DELAY_MS`.
 */
const CUT_AFTER_MS = 8_000;

/**
 * Whether the system distributes connections over the sockets that share a port. Systems other than Linux do not do
 * this, or not in every version.
 */
const SPREADS_CONNECTIONS = process.platform === 'linux';

/**
 * Creates a server that answers requests in this process. At a stop, it waits for `DRAIN_DELAY_MS` before it closes the
 * port, so that load balancers can choose another server.
 */
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
      options.endStreams();
      if (!server) return;
      if (drainDelayMs > 0) await delay(drainDelayMs, undefined, { signal: stopNow }).catch(() => undefined);
      watch?.[Symbol.dispose]();
      await drain(server, { cutAfterMs: CUT_AFTER_MS - drainDelayMs, cutNow: stopNow });
    },
  } satisfies RequestServer;
}

/** Starts to listen at `PORT`. The settings and the system's limit of open files limit the number of connections. */
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
      'fewer connections than MAX_CONNECTIONS are accepted, because each needs an open file: raise LimitNOFILE (ulimit -n)',
    );
  }
  const perNetwork = settings.MAX_CONNECTIONS_PER_ADDRESS ?? connectionsOfOneAddress(most);
  const connections = { most, perNetwork, networkOf: clientNetwork, except };
  const sharesPort = WORKERS > 1 || SPREADS_CONNECTIONS;
  // With workers, the primary process has checked the port before it started them.
  if (sharesPort && WORKERS === 1 && port !== 0) await findPort(settings);
  return listenOn(handle, { host, port, sharesPort, connections, recordLimit: createLimitRecorder(options) });
}
