import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { until } from './until.ts';

export const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

/** A server behind the proxy, by its local ports. */
export interface Backend {
  readonly port: number;
  readonly opsPort: number;
}

export interface Haproxy extends AsyncDisposable {
  readonly url: string;
  /** Returns how many servers pass the checks, of the ready or of the degraded backend. */
  upCount(backend?: 'servers' | 'degraded'): Promise<number | undefined>;
  /** Resolves when this many servers pass the checks, of the ready or of the degraded backend. */
  untilUp(count: number, backend?: 'servers' | 'degraded'): Promise<void>;
}

/** The documented configuration. */
export const SHOWN = new URL('../../../../../docs/operate/haproxy.cfg', import.meta.url);

/** Its interval between checks of /ready, in milliseconds. */
export const CHECK_EVERY_MS = 200;

export interface HaproxyOptions {
  /** Edits the configuration, for a sabotage twin or a shorter time limit. */
  readonly change?: ((configuration: string) => string) | undefined;
  /** A certificate and its key, as PEM. Default: plain HTTP. */
  readonly certificate?: string;
}

/** Starts haproxy in front of servers, with the documented configuration. */
export async function startHaproxy(
  port: number,
  backends: readonly Backend[],
  { change = (configuration) => configuration, certificate }: HaproxyOptions = {},
): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-haproxy-'));
  const socket = join(folder, 'stats');
  const file = join(folder, 'haproxy.cfg');
  const pem = join(folder, 'gatehouse.pem');
  if (certificate !== undefined) await writeFile(pem, certificate, { mode: 0o600 });
  const placed = await configuration(port, socket, backends, certificate === undefined ? undefined : pem);
  await writeFile(file, change(placed));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  const ask = (command: string) => text(createConnection(socket).end(`${command}\n`));
  /** `undefined` until it answers. */
  const upCount = async (backend = 'servers') => {
    const stats = await ask('show stat').catch(() => '');
    if (stats === '') return undefined;
    const isUp = (line: string) => line.startsWith(`${backend},node`) && line.includes(',UP,');
    return stats.split('\n').filter(isUp).length;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    upCount,
    async untilUp(count, backend = 'servers') {
      await until(`${count} servers of ${backend} pass haproxy's checks`, async () => {
        if (child.exitCode !== null) throw new Error(`haproxy ended: ${await text(child.stderr)}`);
        return (await upCount(backend)) === count;
      });
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** The documented configuration with these ports and this certificate, or none, instead of its own. */
async function configuration(
  port: number,
  socket: string,
  backends: readonly Backend[],
  pem: string | undefined,
): Promise<string> {
  const shown = await readFile(SHOWN, 'utf8');
  const servers = backends.map(
    (backend, index) => `  server node${index} 127.0.0.1:${backend.port} port ${backend.opsPort}\n`,
  );
  const placed = shown
    .replace(/^ {2}bind :443( ssl crt )\S+( .*)$/m, (_, ssl, alpn) =>
      pem === undefined ? `  bind 127.0.0.1:${port}` : `  bind 127.0.0.1:${port}${ssl}${pem}${alpn}`,
    )
    .replace(/(?:^ {2}server .*\n)+/gm, servers.join(''));
  return `global\n  stats socket ${socket}\n${placed}`;
}
