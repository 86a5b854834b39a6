import cluster from 'node:cluster';
import { replaceInvisible } from '@gatehouse/domain';
import { EXTENSIONS } from '@gatehouse/extensions';
import { drain, type Listener } from '@gatehouse/front';
import { cutLineEnds } from '@gatehouse/installation/line-ends';
import { openMasterKey } from '@gatehouse/installation/master-key';
import { createPostgresRepositories } from '@gatehouse/postgres';
import { createReactions } from './composition/reactions.ts';
import { composeServer, type RunningServer } from './container.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { openLog, type ProcessLog } from './logging/process-log.ts';
import { readSettings, type ServerSettings } from './settings/read-settings.ts';
import { unlessAbandoned } from './start/abandon.ts';
import { startBackgroundWork } from './start/background-work.ts';
import { findPort } from './start/http-server.ts';
import { keepKeysOpen } from './start/keep-keys-open.ts';
import { loadServedExtensions, warnOfOpenRoutes } from './start/load-extension.ts';
import { openStore, warnOfUnfitDatabase } from './start/open-store.ts';
import { createRequestServer, type RequestServer } from './start/request-server.ts';
import { start } from './start/start.ts';
import { isWrongUse, SettingsError, startProblem } from './start/start-error.ts';
import { listenForStop, type StopRequests } from './start/stop-requests.ts';
import { VERSION } from './start/version.ts';
import type { Tracing } from './tracing/open-tracing.ts';
import { traceFacts } from './tracing/request-trace.ts';
import { workerEnvironment } from './workers/environment.ts';
import { listenForCommands, report, reportServing } from './workers/primary-process.ts';
import { createWorkers } from './workers/workers.ts';

/** The time limit for a graceful stop, in milliseconds. After it, the process exits even if something is still open. */
const STOP_LIMIT_MS = 9_500;
/**
 * The time limit for stopping a worker, in milliseconds. It is shorter than `STOP_LIMIT_MS`, because the primary
 * process waits for its workers.
 */
const WORKER_STOP_LIMIT_MS = 8_800;
/** The time limit for stopping any process after a second signal, in milliseconds. */
const IMMEDIATE_STOP_LIMIT_MS = 1_500;
/** How long to wait until the log is written when a time limit for stopping is reached, in milliseconds. */
const LOG_LIMIT_MS = 300;

/** The objects that the functions of this file pass to each other, in the primary process and in workers. */
interface ProcessContext extends ServerSettings, ProcessLog {
  /** Closes everything that this process opened. Each object is added as soon as it is open. */
  readonly resources: AsyncDisposableStack;
  readonly lifecycle: Lifecycle;
  /**
   * The tracing of requests; undefined without a collector of traces, and in a primary process whose workers answer the
   * requests.
   */
  readonly tracing: Tracing | undefined;
}

/**
 * Runs the server until it stops. The exit status is 0 after a graceful stop, 1 after a fault, and 2 for invalid
 * settings, with which a restart would fail again.
 */
export async function run(): Promise<void> {
  cutLineEnds(process.env);
  const read = await readSettings(process.env);
  if (!read.ok) {
    process.exitCode = 2;
    for (const line of read.error) await tell(line);
    return;
  }
  process.exitCode = 1;
  const { settings } = read.value;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector } = settings;
  const processLog = openLog(settings.LOG_LEVEL, undefined, undefined, collector ? traceFacts : undefined);
  const { log } = processLog;
  const resources = new AsyncDisposableStack();
  try {
    const lifecycle: Lifecycle = { stage: 'starting' };
    const answers = cluster.isWorker || settings.WORKERS === 1;
    const tracing = collector !== undefined && answers ? await startTracing(collector) : undefined;
    await (cluster.isWorker ? work : serve)({ ...read.value, ...processLog, resources, lifecycle, tracing });
    process.exitCode = 0;
  } catch (error) {
    if (isWrongUse(error)) process.exitCode = 2;
    const problem = startProblem(error);
    if (problem === undefined) log.fatal({ err: error }, 'the server stops because of an unexpected error');
    await tell(problem ?? String(error));
  }
  await resources
    .disposeAsync()
    .catch((error) =>
      log.error({ err: error }, 'a connection or file could not be closed: the process exits anyway'),
    );
  if (process.exitCode === 0 && !cluster.isWorker)
    log.info({ kind: 'stopped', version: VERSION }, 'the server has stopped');
  await processLog.end();

  async function startTracing(endpoint: string) {
    const { openTracing } = await import('./tracing/open-tracing.ts');
    const tracing = openTracing(endpoint, settings, log);
    // Resources are closed in reverse order. Tracing is opened before all other resources, so it is closed last and can
    // still send spans of requests.
    resources.defer(() => tracing.close());
    return tracing;
  }
}

/** Runs the only process of the server, or the primary process that starts workers. */
async function serve(context: ProcessContext): Promise<void> {
  const { resources, log } = context;
  const { requested, stopNow } = listenForStop();
  endInTime({ requested, stopNow }, STOP_LIMIT_MS, context);

  const running = await unlessAbandoned(open(context, requested), requested, resources);
  if (!running) return;
  log.info({ kind: 'stopping', reason: await requested }, 'the server is stopping');
  await shutDown(context, stopNow, running);
}

/** Opens the database, starts to answer requests, and starts the operations listener and the background work. */
async function open(context: ProcessContext, requested: Promise<string>) {
  const { settings, resources, log } = context;
  const { store, masterKey, extensions } = await openData(context);
  await warnOfUnfitDatabase(store.database, log);
  warnOfOpenRoutes(extensions, log);
  const workers = settings.WORKERS > 1 ? await planWorkers() : undefined;
  const { services } = composeServer({ ...context, ...store, extensions, masterKey, workers });
  const requestServer = workers ?? (await openRequestServer(context, services));

  const { opsApp, useCases } = services;
  const reactions = createReactions({ ...store, extensions }, services);
  const opsServer = await start({ ...context, ...store, requestServer, opsApp, useCases });
  startBackgroundWork({ services, reactions, settings, log, resources, requested });
  return { requestServer, opsServer };

  async function planWorkers() {
    const environment = workerEnvironment(store, masterKey, { ...settings, PORT: await findPort(settings) });
    const planned = createWorkers({ count: settings.WORKERS, environment, requested, log });
    // If the start fails, all workers are stopped.
    resources.defer(() => planned.stop(AbortSignal.abort()));
    return planned;
  }
}

/** Runs a worker, one of several processes that share the port. The primary process starts and stops it. */
async function work(context: ProcessContext): Promise<void> {
  const { lifecycle } = context;
  const { requested, stopNow } = listenForCommands();
  endInTime({ requested, stopNow }, WORKER_STOP_LIMIT_MS, context);

  const { store, masterKey, extensions } = await openData(context);
  const { services } = composeServer({ ...context, ...store, extensions, masterKey });
  const requestServer = await openRequestServer(context, services);

  const url = await requestServer.start();
  lifecycle.stage = 'serving';
  await reportServing(url, { state: services.feed.state, metrics: services.metrics.snapshot });
  await requested;
  await shutDown(context, stopNow, { requestServer });
}

interface Servers {
  readonly requestServer: RequestServer;
  readonly opsServer?: Listener | undefined;
}

/**
 * Makes `/ready` report the shutdown, and answers the requests that were received. The operations listener, which
 * answers `/ready`, is closed after the connections of clients.
 */
async function shutDown(
  { lifecycle, log }: ProcessContext,
  stopNow: AbortSignal,
  { requestServer, opsServer }: Servers,
): Promise<void> {
  lifecycle.stage = 'draining';
  await requestServer.stop(stopNow);
  if (opsServer) await drain(opsServer, { cutAfterMs: 0, cutNow: stopNow });
  log.debug('every connection is closed');
}

/**
 * Opens the database. If the settings name no master key, also reads the master key in the data folder, or creates it
 * if the database has no signing keys yet.
 */
async function openData({ settings, masterKey, resources, log, tracing }: ProcessContext) {
  const extensions = await loadServedExtensions(EXTENSIONS);
  const store = await openStore(settings, resources, log, EXTENSIONS, tracing?.watch);
  if (masterKey) return { store, masterKey, extensions };
  const opened = await openMasterKey(settings, createPostgresRepositories(store.database).signingKeys);
  if (!opened.ok) throw new SettingsError(opened.error.message);
  return { store, masterKey: opened.value, extensions };
}

/** Creates the request server of this process, with the change feed that keeps its caches coherent. */
async function openRequestServer(
  { settings, resources, log, tracing }: ProcessContext,
  services: RunningServer,
) {
  const { feed, usage, app, metrics, tokenChanges, repositories, encryption } = services;
  resources.defer(() => feed.close());
  resources.defer(() => usage.flush());
  await feed.start();
  // If the master key was replaced, the process still answers requests.
  await keepKeysOpen({ feed, ports: { ...repositories, encryption }, log });
  const endStreams = () => tokenChanges.close();
  return createRequestServer(app, settings, { log, limits: metrics.limits, tracing, endStreams });
}

function endInTime({ requested, stopNow }: StopRequests, limitMs: number, { end }: ProcessLog): void {
  const endWithin = (milliseconds: number) =>
    setTimeout(() => void end(LOG_LIMIT_MS).finally(() => process.exit()), milliseconds).unref();
  void requested.then(() => endWithin(limitMs));
  stopNow.addEventListener('abort', () => endWithin(IMMEDIATE_STOP_LIMIT_MS));
}

async function tell(line: string): Promise<void> {
  if (cluster.isWorker) await report({ kind: 'failed', line });
  // The text may contain a message of the database. Its line breaks are escaped, so that the text stays on one line.
  else process.stderr.write(`Gatehouse cannot start: ${replaceInvisible(line)}\n`);
}
