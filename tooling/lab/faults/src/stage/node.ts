import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { programFile } from '@gatehouse/test-database';

const MAIN = fileURLToPath(new URL('../../../../../apps/server/bin/gatehouse-server.js', import.meta.url));
const FLAGS = JSON.parse(
  readFileSync(new URL('../../../../../apps/server/bin/node-flags.json', import.meta.url), 'utf8'),
);

/** A server in a separate process. */
export interface ServerNode extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly url: string;
  readonly opsUrl: string;
  /** Resolves with the exit status or the signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** The last lines of its log. */
  readonly log: readonly string[];
  /** All of its log lines that are errors. */
  readonly complaints: readonly string[];
}

/** A server with a million requests logs much. */
const LINES_KEPT = 10_000;

/** The settings of a database, for servers and commands. */
export type Settings = Readonly<Record<string, string>>;

/** Starts a server with only these settings, and waits until it serves. */
export async function startNode(settings: Settings): Promise<ServerNode> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [...FLAGS, programFile('gatehouse-server', MAIN, settings)], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', OPS_PORT: '0', ...settings },
    // Servers see the channel close if this process is killed, and exit.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
  const log: string[] = [];
  const complaints: string[] = [];
  const serving = Promise.withResolvers<{ url: string; ops_url: string }>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream as NodeJS.ReadableStream }).on('line', (line) => {
      if (log.push(line) > LINES_KEPT) log.shift();
      if (/"level":"(error|fatal)"/.test(line)) complaints.push(line);
      if (line.includes('"kind":"serving"')) serving.resolve(JSON.parse(line));
    });
  }
  const failed = ended.then((how) => {
    throw new Error(`the server ended (${how}): ${log.join('\n')}`);
  });
  const { url, ops_url: opsUrl } = await Promise.race([serving.promise, failed]);
  failed.catch(() => undefined);
  return {
    process: child,
    url,
    opsUrl,
    ended,
    log,
    complaints,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
