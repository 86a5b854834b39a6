import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from './root.ts';

/** A program that runs until it is stopped. */
interface Running {
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Both programs end with this one: their channel closes if it is killed. Ctrl-C of a terminal reaches this one alone. */
function start(args: readonly string[], env: NodeJS.ProcessEnv): Running & { readonly child: ChildProcess } {
  const child = spawn(process.execPath, [...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  });
  const ended = once(child, 'exit').then(() => undefined);
  return {
    child,
    ended,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}

export interface ServerOptions {
  /** The data folder. */
  readonly folder: string;
  readonly port: number;
}

/** Starts a server as `npm start` does. `serving` resolves with its URL. */
export function startServer({
  folder,
  port,
}: ServerOptions): Running & { readonly serving: Promise<string> } {
  const { bundledProgram } = createRequire(import.meta.url)(join(ROOT, 'tooling/bundle/src/current.cjs'));
  const sources = join(ROOT, 'apps/server/bin');
  const flags: string[] = JSON.parse(readFileSync(join(sources, 'node-flags.json'), 'utf8'));
  const program: string =
    bundledProgram('gatehouse-server', { patient: true }) ?? join(sources, 'gatehouse-server.js');
  const settings = { GATEHOUSE_DATA_DIR: folder, PORT: `${port}`, OPS_PORT: '0', DATABASE_URL: undefined };
  const { child, ...running } = start([...flags, program], settings);
  return { ...running, serving: findUrl(child) };
}

/** Reads what the server prints, and shows it only if it does not start. */
async function findUrl({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('the server has no output');
  let text = '';
  let tell: (url: string) => void = () => undefined;
  const found = new Promise<string>((resolve) => {
    tell = resolve;
  });
  stdout.setEncoding('utf8').on('data', (chunk) => {
    if (text.length < 100_000) text += chunk;
    const url = /Gatehouse serves (\S+)|"url":"(\S+?)"/.exec(text);
    if (url) tell(url[1] ?? url[2] ?? '');
  });
  const ended = once(stdout, 'close').then(() => {
    throw new Error(`the server did not start\n${text}`);
  });
  return Promise.race([found, ended]);
}

export interface OrdersOptions {
  /** The URL of Gatehouse. */
  readonly url: string;
  readonly credential: string;
  readonly port: number;
}

const LONGEST_START_MS = 30_000;

/** Starts the example, and resolves when it serves. */
export async function startOrders({
  url,
  credential,
  port,
}: OrdersOptions): Promise<Running & { readonly url: string }> {
  const endsWithParent = `process.channel.unref(); process.on('disconnect', () => process.exit());`;
  const program = join(ROOT, 'packages/verifier/examples/orders.ts');
  const { ended, stop } = start(
    ['--no-warnings', '--import', `data:text/javascript,${encodeURIComponent(endsWithParent)}`, program],
    { GATEHOUSE_URL: url, GATEHOUSE_CREDENTIAL: credential, PORT: `${port}` },
  );
  const ordersUrl = `http://127.0.0.1:${port}/`;
  let isRunning = true;
  void ended.then(() => {
    isRunning = false;
  });
  for (const end = performance.now() + LONGEST_START_MS; isRunning && performance.now() < end; ) {
    const answer = await fetch(ordersUrl).catch(() => undefined);
    if (answer) return { url: ordersUrl, ended, stop };
    await pause(50);
  }
  await stop();
  throw new Error('the service for orders did not start');
}

/** Resolves when this program is told to stop. */
export function whenStopped(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => resolve(undefined));
  });
}
