import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { env } from '../clones.ts';

/** A server of the version in a folder. */
export interface VersionServer extends AsyncDisposable {
  readonly url: string;
  /** The log lines that are errors. */
  readonly complaints: readonly string[];
  /** Stops it as an operator does, and returns its exit status. */
  stop(): Promise<number | NodeJS.Signals>;
}

/**
 * Starts the server of the version in this folder, on free ports.
 *
 * @throws Error with the log, if the server exits instead of serving
 */
export async function startVersion(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<VersionServer> {
  const bin = join(folder, 'apps/server/bin');
  const flags: string[] = JSON.parse(readFileSync(join(bin, 'node-flags.json'), 'utf8'));
  const child = spawn(process.execPath, [...flags, join(bin, 'gatehouse-server.js')], {
    cwd: folder,
    env: { ...env, PORT: '0', OPS_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit').then(([status, signal]) => status ?? signal);
  const log: string[] = [];
  const complaints: string[] = [];
  const serving = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream as NodeJS.ReadableStream }).on('line', (line) => {
      log.push(line);
      if (/"level":"(error|fatal)"/.test(line)) complaints.push(line);
      // On the embedded database, a text for people stands in place of the line.
      const [, inText, inLine] = /Gatehouse serves (\S+)|"url":"(\S+?)"/.exec(line) ?? [];
      const url = inText ?? inLine;
      if (url !== undefined) serving.resolve(url);
    });
  }
  const failed = ended.then((how) => {
    throw new Error(`the server of ${folder} ended (${how}): ${log.join('\n')}`);
  });
  failed.catch(() => undefined);
  const url = await Promise.race([serving.promise, failed]);
  return {
    url,
    complaints,
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
