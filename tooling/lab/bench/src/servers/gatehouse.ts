import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Directory } from '../population/directory.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const BIN = new URL('../../../../../apps/server/bin/', import.meta.url);
const PROGRAM = fileURLToPath(new URL('gatehouse-server.js', BIN));
const FLAGS = JSON.parse(readFileSync(new URL('node-flags.json', BIN), 'utf8'));

/** Starts our server on a directory, on free ports, and on the server's core unless `cores` says otherwise. */
export function startGatehouse(
  { stage, url }: Directory,
  settings: Readonly<Record<string, string>> = {},
  cores = stage.cores?.server,
): Promise<ServerProcess> {
  const own = { DATABASE_URL: url, GATEHOUSE_MASTER_KEY: stage.masterKey, PORT: '0', OPS_PORT: '0' };
  return startServer({ program: PROGRAM, flags: FLAGS, env: { ...own, ...settings }, cores });
}
