import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePorts } from '@gatehouse/test-database';

/** A program that stands in front of a service, with the configuration that docs/use/gateways has for it. */
export interface Gateway {
  readonly program: string;
  /** The name of the configuration. */
  readonly file: string;
  /** Replaces the addresses and the certificate of the configuration. */
  place(shown: string, places: Places): string;
  /** Returns the other files that the program needs, by their names in the folder. */
  files?(folder: string): Readonly<Record<string, string>>;
  /** Returns the arguments with which the program reads the configuration in the folder, and stays in the foreground. */
  run(folder: string): readonly string[];
}

/** Addresses on this machine, such as `127.0.0.1:8080`. */
interface Places {
  readonly gateway: string;
  readonly gatehouse: string;
  /** Where no server listens: the other Gatehouse server of the configuration, which is away. */
  readonly away: string;
  readonly service: string;
}

const SHOWN = new URL('../../../../docs/use/gateways/', import.meta.url);

export const readShown = (file: string) => readFileSync(new URL(file, SHOWN), 'utf8');

/** Replaces a part of a configuration, which must have it. */
export function replaced(configuration: string, part: string | RegExp, by: string): string {
  if (configuration.search(part) < 0) throw new Error(`the configuration has no ${part} any longer`);
  return configuration.replaceAll(part, by);
}

/** Whether the program is installed. */
export const isInstalled = ({ program }: Gateway, option: string) =>
  spawnSync(program, [option]).status === 0;

/** Starts the program in front of a service. The URLs are those of Gatehouse and of the service. */
export async function startGateway(gateway: Gateway, urls: Record<'gatehouse' | 'service', string>) {
  const folder = await mkdtemp(join(tmpdir(), `gatehouse-${gateway.program}-`));
  // If root runs the tests, nginx drops its rights and needs access.
  await chmod(folder, 0o755);
  const [port = 0, away = 0] = await freePorts(2);
  const configuration = gateway.place(readShown(gateway.file), {
    gateway: `127.0.0.1:${port}`,
    gatehouse: new URL(urls.gatehouse).host,
    away: `127.0.0.1:${away}`,
    service: new URL(urls.service).host,
  });
  for (const [name, contents] of Object.entries({
    ...gateway.files?.(folder),
    [gateway.file]: configuration,
  }))
    await writeFile(join(folder, name), contents);
  const child = spawn(gateway.program, gateway.run(folder), {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const errors = text(child.stderr);
  while (!(await listens(port)))
    if (child.exitCode !== null) throw new Error(`${gateway.program} ended: ${await errors}`);
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, maxRetries: 10 });
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}
