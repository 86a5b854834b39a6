import { destination, type Logger } from 'pino';
import { App, ChangeFeed, composeServer, Demo, EnsureKeys, OpsApp } from './container.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { createLog } from './log.ts';
import { parseSettings, type Settings } from './settings/settings.ts';
import { openMasterKey } from './start/open-master-key.ts';
import { openStore } from './start/open-store.ts';
import { shutDown } from './start/shut-down.ts';
import { start } from './start/start.ts';
import { startProblem } from './start/start-error.ts';
import { listenForStop } from './start/stop-requests.ts';

/** From the request to stop to the end, whatever hangs, in milliseconds. */
const STOP_LIMIT_MS = 9_500;
/** The same, once whoever asked does not want to wait. */
const IMPATIENT_LIMIT_MS = 1_500;

/** Runs the server to its end. The exit status: 0 for an orderly one, 1 for a fault, 2 for wrong settings. */
async function main(): Promise<void> {
  const settings = parseSettings(process.env);
  if (!settings.ok) {
    process.exitCode = 2;
    for (const line of settings.error) tell(line);
    return;
  }
  process.exitCode = 1;
  const log = createLog(settings.value.LOG_LEVEL, destination({ dest: 1, sync: true }));
  const resources = new AsyncDisposableStack();
  try {
    await serve(settings.value, resources, log);
    process.exitCode = 0;
  } catch (error) {
    const problem = startProblem(error);
    if (problem === undefined) log.fatal({ err: error }, 'the server fails');
    tell(problem ?? String(error));
  }
  await resources
    .disposeAsync()
    .catch((error) => log.error({ err: error }, 'not everything could be let go'));
}

async function serve(settings: Settings, resources: AsyncDisposableStack, log: Logger): Promise<void> {
  const { requested, impatience } = listenForStop();
  void requested.then(() => endWithin(STOP_LIMIT_MS));
  impatience.addEventListener('abort', () => endWithin(IMPATIENT_LIMIT_MS));

  const lifecycle: Lifecycle = { stage: 'starting' };
  const { database, listenUrl } = await openStore(settings, resources, log);
  const masterKey = await openMasterKey(settings, database);
  const { resolve } = composeServer({ settings, database, listenUrl, lifecycle, log, masterKey });
  const feed = resolve(ChangeFeed);
  resources.defer(() => feed.close());
  await feed.start();

  const running = await start({
    settings,
    database,
    lifecycle,
    log,
    ensureKeys: resolve(EnsureKeys),
    app: resolve(App),
    opsApp: resolve(OpsApp),
    demo: resolve(Demo),
  });
  log.debug({ reason: await requested }, 'stopping');
  await shutDown({ ...running, lifecycle, log, impatience, drainDelayMs: settings.DRAIN_DELAY_MS });
}

function endWithin(milliseconds: number): void {
  setTimeout(() => process.exit(), milliseconds).unref();
}

function tell(line: string): void {
  process.stderr.write(`Gatehouse cannot start: ${line}\n`);
}

await main();
process.exit();
