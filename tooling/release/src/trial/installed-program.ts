import { freePorts } from '@gatehouse/test-database/free-ports';
import type { Room, Running, RunOptions } from './room.ts';
import { until } from './wait.ts';

/** Where npm puts the command line and the server. */
export const COMMAND = './node_modules/.bin/gatehouse';
export const SERVER = './node_modules/.bin/gatehouse-server';

/** The user of a trial. */
export const ADMIN = { email: 'ada@acme.example', password: 'seven green teapots' } as const;

/** Runs a command of the installed command line that has to succeed, and returns what it prints. */
export type InstalledCommand = (args: readonly string[], stdin?: string) => Promise<string>;

/** A running server that is installed in a room. */
export interface InstalledServer extends Running {
  readonly url: string;
}

/**
 * Returns the installed command line.
 *
 * @param env the settings of the installation
 */
export function installedCommand(room: Room, env: NonNullable<RunOptions['env']>): InstalledCommand {
  return async (args, stdin = '') => (await room.succeed(COMMAND, args, { env, stdin })).trim();
}

/** Starts the installed server, and waits until `/ready` answers 200. */
export async function startServer(room: Room, env: NonNullable<RunOptions['env']>): Promise<InstalledServer> {
  const [port, opsPort] = await freePorts(2);
  const server = room.start(SERVER, [], { env: { ...env, PORT: `${port}`, OPS_PORT: `${opsPort}` } });
  try {
    await until('/ready', 200, async () => (await fetch(`http://127.0.0.1:${opsPort}/ready`)).status);
  } catch (error) {
    throw new Error(`the installed server is not ready:\n${server.output()}`, { cause: error });
  }
  return { ...server, url: `http://127.0.0.1:${port}` };
}
