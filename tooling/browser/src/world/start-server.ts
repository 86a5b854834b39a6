import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { programFile } from '@gatehouse/test-database';

const SERVER = fileURLToPath(new URL('../../../../apps/server/bin/gatehouse-server.js', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../../../apps/cli/bin/gatehouse.js', import.meta.url));

/** Settings of a server and of commands. */
export type Settings = Readonly<Record<string, string>>;

const environment = (settings: Settings) => {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', OPS_PORT: '0', ...settings };
};

/** Starts a server in a separate process, with only these settings, and waits until it serves. Disposing of it stops it. */
export async function startServer(settings: Settings) {
  const child = spawn(process.execPath, [programFile('gatehouse-server', SERVER)], {
    env: environment(settings),
    // The server sees the channel close if this process is killed, and exits.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
  const serving = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
        const url = /Gatehouse serves (\S+)\n|"url":"(\S+?)"/.exec(output);
        if (url !== null) resolve((url[1] ?? url[2]) as string);
      });
    }
  });
  const url = await Promise.race([
    serving,
    ended.then((how) => Promise.reject(new Error(`the server ended (${how}): ${output}`))),
  ]);
  return {
    url,
    /** Everything that it has printed so far. */
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Runs a command of `gatehouse` and returns what it printed; throws if it fails. */
export async function runCommand(settings: Settings, args: readonly string[], stdin = ''): Promise<string> {
  const child = spawn(process.execPath, [programFile('gatehouse', COMMAND), ...args], {
    env: environment(settings),
  });
  child.stdin.end(stdin);
  const [out, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  if (status !== 0) throw new Error(`gatehouse ${args.join(' ')} ended (${status}): ${errors}`);
  return out.trimEnd();
}
