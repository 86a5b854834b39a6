import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundledProgram } from '@gatehouse/bundle';
import type { Directory } from '../population/directory.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const BIN = new URL('../../../../../apps/server/bin/', import.meta.url);
const PROGRAM = fileURLToPath(new URL('gatehouse-server.js', BIN));
const FLAGS = JSON.parse(readFileSync(new URL('node-flags.json', BIN), 'utf8'));

/** Starts our server on a directory, on free ports, and on the server's core unless `cores` says otherwise. */
export function startGatehouse(
  directory: Directory,
  settings: Readonly<Record<string, string>> = {},
  cores = directory.stage.cores?.server,
): Promise<ServerProcess> {
  return start(PROGRAM, directory, settings, cores);
}

/** Starts our server as `startGatehouse` does, but from its bundle, as `npm start`, the image and a release run it. */
export async function startBundledGatehouse(
  directory: Directory,
  settings: Readonly<Record<string, string>>,
  cores: string | undefined,
): Promise<ServerProcess> {
  const program = bundledProgram('gatehouse-server', { patient: true });
  if (program === undefined) throw new Error('the server could not be bundled');
  return start(program, directory, settings, cores);
}

function start(
  program: string,
  { stage, url }: Directory,
  settings: Readonly<Record<string, string>>,
  cores: string | undefined,
): Promise<ServerProcess> {
  const own = { DATABASE_URL: url, GATEHOUSE_MASTER_KEY: stage.masterKey, PORT: '0', OPS_PORT: '0' };
  return startServer({ program, flags: FLAGS, env: { ...own, ...settings }, cores });
}
