import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillDataFolder } from '@gatehouse/embedded-postgres/testing/fill-data-folder';
import { programFile } from '@gatehouse/test-database';
import { quickFolder } from '@gatehouse/test-database/quick-folder';
import { fillServedFolder } from '@gatehouse/test-database/served-folder';
import type { Demo } from '../src/start/demo-file.ts';

const SOURCES = fileURLToPath(new URL('../bin/gatehouse-server.js', import.meta.url));

export type SpawnedServer = ReturnType<typeof spawnServer>;

/** Runs `gatehouse-server.js` like the launcher, with only these settings. */
export function spawnServer(
  settings: Readonly<Record<string, string>>,
  options: Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> = {},
) {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [programFile('gatehouse-server', SOURCES, settings)], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', OPS_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...options,
  });
  let [out, errors] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  // Not `close`, which is not emitted once the channel was closed from here.
  const streams = [child.stdout, child.stderr].map((stream) => once(stream as NodeJS.EventEmitter, 'close'));
  const ended = once(child, 'exit').then(async ([code, signal]): Promise<number | NodeJS.Signals> => {
    await Promise.all(streams);
    return code ?? signal;
  });
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  const serving = async () => {
    for (;;) {
      const url = /Gatehouse serves (\S+)|"url":"(\S+?)"/.exec(out);
      if (url) return (url[1] ?? url[2]) as string;
      const gone = await Promise.race([
        once(child.stdout as NodeJS.EventEmitter, 'data').then(() => false),
        ended.then(() => true),
      ]);
      if (gone) throw new Error(`the server ended: ${out}${errors}`);
    }
  };
  return {
    process: child,
    out: () => out,
    errors: () => errors,
    /** Resolves with the URL once the server reports that it serves. */
    serving,
    /** The URL of the operations listener, which is known once the server serves. */
    opsUrl: () => /Health: (\S+)\/ready|"ops_url":"(\S+?)"/.exec(out)?.slice(1).join('') ?? '',
    /** Resolves with the exit status, or the signal. */
    ended,
    /** Asks it to stop, and resolves with its exit status. */
    stop,
    [Symbol.asyncDispose]: async (): Promise<void> => void (await stop()),
  };
}

/** Creates a data folder for servers, which have to stop before it is removed. */
export async function makeDataFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(quickFolder(), 'gatehouse-server-'));
  // If root runs the tests, PostgreSQL runs as another user, who needs access.
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) };
}

/** One whose database was made before, for tests that are not about the first start. */
export async function makeUsedDataFolder(): ReturnType<typeof makeDataFolder> {
  const folder = await makeDataFolder();
  await fillDataFolder(folder.path);
  return folder;
}

/** One on which a server ran, with the demo, for tests that are not about migrations either. */
export async function makeServedDataFolder(): ReturnType<typeof makeDataFolder> {
  const folder = await makeDataFolder();
  await fillServedFolder(folder.path, fillDataFolder);
  return folder;
}

/** Starts a server on a folder on which another one ran, and removes the folder with it. */
export async function serveDataFolder(settings: Readonly<Record<string, string>> = {}) {
  const folder = await makeServedDataFolder();
  const server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path, ...settings });
  const url = await server.serving();
  return {
    ...server,
    url,
    path: folder.path,
    demo: JSON.parse(await readFile(join(folder.path, 'demo.json'), 'utf8')) as Demo,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}
