import cluster from 'node:cluster';
import { replaceInvisible } from '@gatehouse/domain';
import { checkMasterKey } from '@gatehouse/domain/signing-keys';
import { openMasterKey } from '@gatehouse/installation/master-key';
import type { LoadedMasterKey } from '@gatehouse/key-encryption';
import { createPostgresRepositories } from '@gatehouse/postgres';
import type { Logger } from 'pino';
import { composeServer, type RunningServer } from './container.ts';
import type { HttpServer } from './http/http-server.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { openLog, type ProcessLog } from './process-log.ts';
import { readSettings, type ServerSettings } from './settings/read-settings.ts';
import type { Settings } from './settings/settings.ts';
import { unlessAbandoned } from './start/abandon.ts';
import { findPort } from './start/listen.ts';
import { openStore, type Store } from './start/open-store.ts';
import { createRequestServer, type RequestServer } from './start/request-server.ts';
import { type ShutDownOptions, shutDown } from './start/shut-down.ts';
import { start } from './start/start.ts';
import { isWrongUse, SettingsError, startProblem } from './start/start-error.ts';
import { listenForStop, type StopRequests } from './start/stop-requests.ts';
import { VERSION } from './start/version.ts';
import { workerEnvironment } from './workers/environment.ts';
import { listenForCommands, report, reportServing } from './workers/primary-process.ts';
import { createWorkers, type Workers } from './workers/workers.ts';

/** Longest shutdown before the process exits anyway, in milliseconds. */
const STOP_LIMIT_MS = 9_500;
/** The same for a worker; shorter, because the primary process stops after it. In milliseconds. */
const WORKER_STOP_LIMIT_MS = 8_800;
/** The same after a second signal, in milliseconds. */
const IMMEDIATE_STOP_LIMIT_MS = 1_500;
/** Longest wait for the log when one of these limits is reached, in milliseconds. */
const LOG_LIMIT_MS = 300;

/**
 * Runs the server until it stops. The exit status is 0 for a graceful shutdown, 1 for a fault, and 2 for invalid
 * settings, which a restart does not fix.
 */
export async function run(): Promise<void> {
  const read = await readSettings(process.env);
  if (!read.ok) {
    process.exitCode = 2;
    for (const line of read.error) await tell(line);
    return;
  }
  process.exitCode = 1;
  const processLog = openLog(read.value.settings.LOG_LEVEL);
  const { log } = processLog;
  const resources = new AsyncDisposableStack();
  try {
    await (cluster.isWorker ? work : serve)(read.value, resources, processLog);
    process.exitCode = 0;
  } catch (error) {
    if (isWrongUse(error)) process.exitCode = 2;
    const problem = startProblem(error);
    if (problem === undefined) log.fatal({ err: error }, 'the server fails');
    await tell(problem ?? String(error));
  }
  await resources
    .disposeAsync()
    .catch((error) => log.error({ err: error }, 'not everything could be let go'));
  if (process.exitCode === 0 && !cluster.isWorker) log.info({ version: VERSION }, 'stopped');
  await processLog.end();
}

/** Runs the only process, or the primary one of several. */
async function serve(
  read: ServerSettings,
  resources: AsyncDisposableStack,
  { log, end }: ProcessLog,
): Promise<void> {
  const { requested, stopNow } = listenForStop();
  endInTime({ requested, stopNow }, STOP_LIMIT_MS, end);

  const lifecycle: Lifecycle = { stage: 'starting' };
  const starting = open(read, resources, { lifecycle, requested, log });
  const running = await unlessAbandoned(starting, requested, resources);
  if (!running) return;
  log.info({ reason: await requested }, 'stopping');
  await shutDown({ ...running, lifecycle, stopNow, log });
}

/** Opens and starts everything. Everything that has to be closed is added to `resources` at once. */
async function open(
  read: ServerSettings,
  resources: AsyncDisposableStack,
  { lifecycle, requested, log }: Pick<ShutDownOptions, 'lifecycle' | 'log'> & Pick<StopRequests, 'requested'>,
): Promise<{ readonly requestServer: RequestServer; readonly opsServer: HttpServer | undefined }> {
  const { settings } = read;
  const { WORKERS: count } = settings;
  const { store, masterKey } = await openData(read, resources, log);
  const workers = count > 1 ? await planWorkers() : undefined;
  const { services } = composeServer({ settings, ...store, lifecycle, log, masterKey, workers });
  const requestServer = workers ?? (await openRequestServer(services, settings, { resources, log }));

  const { database } = store;
  const { opsApp, useCases } = services;
  const opsServer = await start({ settings, database, lifecycle, log, requestServer, opsApp, useCases });
  return { requestServer, opsServer };

  async function planWorkers(): Promise<Workers> {
    const environment = workerEnvironment(store, masterKey, await findPort(settings));
    const planned = createWorkers({ count, environment, requested, log });
    // If the start fails, all workers are stopped.
    resources.defer(() => planned.stop(AbortSignal.abort()));
    return planned;
  }
}

/** Runs a worker, one of several processes that share the port. The primary process starts and stops it. */
async function work(
  read: ServerSettings,
  resources: AsyncDisposableStack,
  { log, end }: ProcessLog,
): Promise<void> {
  const { requested, stopNow } = listenForCommands();
  endInTime({ requested, stopNow }, WORKER_STOP_LIMIT_MS, end);

  const { settings } = read;
  const lifecycle: Lifecycle = { stage: 'starting' };
  const { store, masterKey } = await openData(read, resources, log);
  const { services } = composeServer({ settings, ...store, lifecycle, log, masterKey });
  // Decrypts the keys while that is possible. A replacement worker serves without signing rather than not at all.
  const checked = await checkMasterKey({ ...services.repositories, encryption: services.encryption });
  if (!checked.ok) log.error('the master key no longer opens the signing keys: restart with the one in use');
  const requestServer = await openRequestServer(services, settings, { resources, log });

  const url = await requestServer.start();
  lifecycle.stage = 'serving';
  await reportServing(url, { state: services.feed.state, metrics: services.metrics.snapshot });
  await requested;
  await shutDown({ requestServer, lifecycle, stopNow, log });
}

/** Opens the database and, unless it is given, the data folder's master key, which is made if there are no keys yet. */
async function openData(
  { settings, masterKey }: ServerSettings,
  resources: AsyncDisposableStack,
  log: Logger,
): Promise<{ readonly store: Store; readonly masterKey: LoadedMasterKey }> {
  const store = await openStore(settings, resources, log);
  if (masterKey) return { store, masterKey };
  const opened = await openMasterKey(settings, createPostgresRepositories(store.database).signingKeys);
  if (!opened.ok) throw new SettingsError(opened.error.message);
  return { store, masterKey: opened.value };
}

/** Creates the request server of this process, with the change feed that keeps its caches coherent. */
async function openRequestServer(
  running: RunningServer,
  settings: Settings,
  { resources, log }: { readonly resources: AsyncDisposableStack; readonly log: Logger },
) {
  const { feed, usage } = running;
  resources.defer(() => feed.close());
  resources.defer(() => usage.flush());
  await feed.start();
  return createRequestServer(running.app, settings, { log, limits: running.metrics.limits });
}

function endInTime({ requested, stopNow }: StopRequests, limitMs: number, endLog: ProcessLog['end']): void {
  const endWithin = (milliseconds: number) =>
    setTimeout(() => void endLog(LOG_LIMIT_MS).finally(() => process.exit()), milliseconds).unref();
  void requested.then(() => endWithin(limitMs));
  stopNow.addEventListener('abort', () => endWithin(IMMEDIATE_STOP_LIMIT_MS));
}

async function tell(line: string): Promise<void> {
  if (cluster.isWorker) await report({ kind: 'failed', line });
  // The text may contain a message of the database, whose line breaks must not start a new line.
  else process.stderr.write(`Gatehouse cannot start: ${replaceInvisible(line)}\n`);
}
