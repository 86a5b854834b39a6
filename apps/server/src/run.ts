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
import { createFront, type Front } from './start/front.ts';
import { findPort } from './start/listen.ts';
import { openStore, type Store } from './start/open-store.ts';
import { shutDown } from './start/shut-down.ts';
import { start } from './start/start.ts';
import { isWrongUse, SettingsError, startProblem } from './start/start-error.ts';
import { listenForStop, type StopRequests } from './start/stop-requests.ts';
import { VERSION } from './start/version.ts';
import { workerEnvironment } from './workers/environment.ts';
import { listenForOrders, report, reportServing } from './workers/orders.ts';
import { createWorkers, type Workers } from './workers/workers.ts';

/** From the request to stop to the end, whatever hangs, in milliseconds. */
const STOP_LIMIT_MS = 9_500;
/** The same for a worker, after which others have to stop. */
const WORKER_STOP_LIMIT_MS = 8_800;
/** The same, once whoever asked does not want to wait. */
const IMPATIENT_LIMIT_MS = 1_500;
/** For the end of the log, where one of these limits is reached. */
const LOG_LIMIT_MS = 300;

/**
 * Runs the server to its end. The exit status: 0 for an orderly one, 1 for a fault, 2 for wrong settings, where a
 * restart does not help.
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

/** One process that does everything, or the primary one of several. */
async function serve(
  read: ServerSettings,
  resources: AsyncDisposableStack,
  { log, end }: ProcessLog,
): Promise<void> {
  const { requested, impatience } = listenForStop();
  endInTime({ requested, impatience }, STOP_LIMIT_MS, end);

  const lifecycle: Lifecycle = { stage: 'starting' };
  const starting = open(read, resources, { lifecycle, requested, log });
  const running = await unlessAbandoned(starting, requested, resources);
  if (!running) return;
  log.info({ reason: await requested }, 'stopping');
  await shutDown({ ...running, lifecycle, impatience, log });
}

interface Surroundings {
  readonly lifecycle: Lifecycle;
  readonly requested: Promise<unknown>;
  readonly log: Logger;
}

/** Opens and starts everything. What has to be let go is in the resources at any time. */
async function open(
  { settings, masterKey: given }: ServerSettings,
  resources: AsyncDisposableStack,
  { lifecycle, requested, log }: Surroundings,
): Promise<{ readonly front: Front; readonly opsServer: HttpServer | undefined }> {
  const { WORKERS: count } = settings;
  const store = await openStore(settings, resources, log);
  const masterKey = given ?? (await masterKeyOf(settings, store));
  const workers = count > 1 ? await planWorkers() : undefined;
  const { services: running } = composeServer({ settings, ...store, lifecycle, log, masterKey, workers });
  const front = workers ?? (await openFront(running, settings, { resources, log }));

  const { database } = store;
  const { opsApp, useCases } = running;
  const opsServer = await start({ settings, database, lifecycle, log, front, opsApp, useCases });
  return { front, opsServer };

  async function planWorkers(): Promise<Workers> {
    const environment = workerEnvironment(store, masterKey, await findPort(settings));
    const planned = createWorkers({ count, environment, requested, log });
    // Where the start fails, none of them is left.
    resources.defer(() => planned.stop(AbortSignal.abort()));
    return planned;
  }
}

/** One of several processes that share the port; the primary one opened everything before, and decides. */
async function work(
  { settings, masterKey: given }: ServerSettings,
  resources: AsyncDisposableStack,
  { log, end }: ProcessLog,
): Promise<void> {
  const { requested, impatience } = listenForOrders();
  endInTime({ requested, impatience }, WORKER_STOP_LIMIT_MS, end);

  const lifecycle: Lifecycle = { stage: 'starting' };
  const store = await openStore(settings, resources, log);
  const masterKey = given ?? (await masterKeyOf(settings, store));
  const { services: running } = composeServer({ settings, ...store, lifecycle, log, masterKey });
  // Opens the keys while they open. One that is started in place of another serves without them rather than not at all.
  const checked = await checkMasterKey({ ...running.repositories, encryption: running.encryption });
  if (!checked.ok) log.error('the master key no longer opens the signing keys: restart with the one in use');
  const front = await openFront(running, settings, { resources, log });

  const url = await front.start();
  lifecycle.stage = 'serving';
  await reportServing(url, { feedState: running.feed.state, metrics: running.metrics.snapshot });
  await requested;
  await shutDown({ front, lifecycle, impatience, log });
}

/** The master key of the data folder, which the database decides whether to make. */
async function masterKeyOf(settings: Settings, { database }: Store): Promise<LoadedMasterKey> {
  const opened = await openMasterKey(settings, createPostgresRepositories(database).signingKeys);
  if (!opened.ok) throw new SettingsError(opened.error.message);
  return opened.value;
}

/** What answers requests in this process, with all that keeps it coherent with every other one. */
async function openFront(
  running: RunningServer,
  settings: Settings,
  { resources, log }: { readonly resources: AsyncDisposableStack; readonly log: Logger },
) {
  const { feed, usage } = running;
  resources.defer(() => feed.close());
  resources.defer(() => usage.flush());
  await feed.start();
  return createFront(running.app, settings, { log, limits: running.metrics.limits });
}

function endInTime(
  { requested, impatience }: StopRequests,
  limitMs: number,
  endLog: ProcessLog['end'],
): void {
  const endWithin = (milliseconds: number) =>
    setTimeout(() => void endLog(LOG_LIMIT_MS).finally(() => process.exit()), milliseconds).unref();
  void requested.then(() => endWithin(limitMs));
  impatience.addEventListener('abort', () => endWithin(IMPATIENT_LIMIT_MS));
}

async function tell(line: string): Promise<void> {
  if (cluster.isWorker) await report({ kind: 'failed', line });
  // What a database says of itself may be in it, and makes no line of its own.
  else process.stderr.write(`Gatehouse cannot start: ${replaceInvisible(line)}\n`);
}
