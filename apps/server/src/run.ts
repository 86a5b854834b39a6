import cluster from 'node:cluster';
import { replaceInvisible } from '@gatehouse/domain';
import { checkMasterKey } from '@gatehouse/domain/signing-keys';
import { EXTENSIONS } from '@gatehouse/extensions';
import { drain, type Listener } from '@gatehouse/front';
import { cutLineEnds } from '@gatehouse/installation/line-ends';
import { openMasterKey } from '@gatehouse/installation/master-key';
import { createPostgresRepositories } from '@gatehouse/postgres';
import { composeServer, type RunningServer } from './container.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { openLog, type ProcessLog } from './logging/process-log.ts';
import { readSettings, type ServerSettings } from './settings/read-settings.ts';
import { unlessAbandoned } from './start/abandon.ts';
import { startHousekeeping } from './start/housekeeping.ts';
import { findPort } from './start/http-server.ts';
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

/** Longest shutdown before the process exits anyway, in milliseconds. */
const STOP_LIMIT_MS = 9_500;
/** The time limit for stopping a worker, in milliseconds. It is shorter because the primary process waits for its workers. */
const WORKER_STOP_LIMIT_MS = 8_800;
/** The time limit for stopping any process after a second signal, in milliseconds. */
const IMMEDIATE_STOP_LIMIT_MS = 1_500;
/** Longest wait for the log when a time limit for stopping is reached, in milliseconds. */
const LOG_LIMIT_MS = 300;

/** The parts that every process has. */
interface ProcessContext extends ServerSettings, ProcessLog {
  /** Everything that has to be closed is added to `resources` as soon as it is open. */
  readonly resources: AsyncDisposableStack;
  readonly lifecycle: Lifecycle;
  /** The tracing of requests; undefined without a collector, and in a process that answers no requests. */
  readonly tracing: Tracing | undefined;
}

/**
 * Runs the server until it stops. The exit status is 0 for a graceful shutdown, 1 for a fault, and 2 for invalid
 * settings, which a restart does not fix.
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
    if (problem === undefined) log.fatal({ err: error }, 'the server fails');
    await tell(problem ?? String(error));
  }
  await resources
    .disposeAsync()
    .catch((error) => log.error({ err: error }, 'not everything could be closed'));
  if (process.exitCode === 0 && !cluster.isWorker) log.info({ kind: 'stopped', version: VERSION }, 'stopped');
  await processLog.end();

  async function startTracing(endpoint: string) {
    const { openTracing } = await import('./tracing/open-tracing.ts');
    const tracing = openTracing(endpoint, settings, log);
    // Resources are closed in reverse order. Tracing is opened first, so the spans of all others can still be sent.
    resources.defer(() => tracing.close());
    return tracing;
  }
}

/** Runs the only process, or the primary process of several. */
async function serve(context: ProcessContext): Promise<void> {
  const { resources, log } = context;
  const { requested, stopNow } = listenForStop();
  endInTime({ requested, stopNow }, STOP_LIMIT_MS, context);

  const running = await unlessAbandoned(open(context, requested), requested, resources);
  if (!running) return;
  log.info({ kind: 'stopping', reason: await requested }, 'stopping');
  await shutDown(context, stopNow, running);
}

/** Opens and starts everything. */
async function open(context: ProcessContext, requested: Promise<string>) {
  const { settings, resources, log } = context;
  const { store, masterKey, extensions } = await openData(context);
  await warnOfUnfitDatabase(store.database, log);
  warnOfOpenRoutes(extensions, log);
  const workers = settings.WORKERS > 1 ? await planWorkers() : undefined;
  const { services } = composeServer({ ...context, ...store, extensions, masterKey, workers });
  const requestServer = workers ?? (await openRequestServer(context, services));

  const { opsApp, useCases, forgetAddresses, sealAuditEvents, sweepSessions } = services;
  const opsServer = await start({ ...context, ...store, requestServer, opsApp, useCases });
  resources.defer(startHousekeeping({ sweepSessions, forgetAddresses, sealAuditEvents, settings, log }));
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
  const { lifecycle, log } = context;
  const { requested, stopNow } = listenForCommands();
  endInTime({ requested, stopNow }, WORKER_STOP_LIMIT_MS, context);

  const { store, masterKey, extensions } = await openData(context);
  const { services } = composeServer({ ...context, ...store, extensions, masterKey });
  // Decrypts the keys while that is possible. A replacement worker serves without signing rather than not at all.
  const checked = await checkMasterKey({ ...services.repositories, encryption: services.encryption });
  if (!checked.ok)
    log.error(
      { kind: 'master_key_replaced' },
      'the master key no longer opens the signing keys: restart with the current one',
    );
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
 * Makes `/ready` report the shutdown, and answers the requests that were received. The operations listener is closed
 * last, so that it responds until then.
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
 * Opens the database and, if the settings name no master key, the one of the data folder. It is created if there are no
 * keys yet.
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
  const { feed, usage, app, metrics } = services;
  resources.defer(() => feed.close());
  resources.defer(() => usage.flush());
  await feed.start();
  return createRequestServer(app, settings, { log, limits: metrics.limits, tracing });
}

function endInTime({ requested, stopNow }: StopRequests, limitMs: number, { end }: ProcessLog): void {
  const endWithin = (milliseconds: number) =>
    setTimeout(() => void end(LOG_LIMIT_MS).finally(() => process.exit()), milliseconds).unref();
  void requested.then(() => endWithin(limitMs));
  stopNow.addEventListener('abort', () => endWithin(IMMEDIATE_STOP_LIMIT_MS));
}

async function tell(line: string): Promise<void> {
  if (cluster.isWorker) await report({ kind: 'failed', line });
  // The text may contain a message of the database, whose line breaks must not start a new line.
  else process.stderr.write(`Gatehouse cannot start: ${replaceInvisible(line)}\n`);
}
