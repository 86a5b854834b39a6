import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { inject } from 'vitest';
import { programFile } from './program-file.ts';
import { quickFolder } from './quick-folder.ts';

const SOURCES = fileURLToPath(new URL('../../../apps/server/bin/gatehouse-server.js', import.meta.url));

const run = promisify(execFile);

/**
 * Fills an empty data folder as if a server had run on it: with the tables, the master key, the keys and the demo. It is for
 * tests that need a server but not its first start, which spends most of its time in migrations.
 *
 * @param fill gives the first of these folders a database cluster, which is faster than creating one
 */
export async function fillServedFolder(
  dataDir: string,
  fill: (dataDir: string) => Promise<void>,
): Promise<void> {
  await run('cp', ['-a', `${await servedTemplate(fill)}/.`, dataDir]);
}

let template: Promise<string> | undefined;

/**
 * The folder from which others are copied. The first process of a run that needs it makes it; it is removed with the
 * run's folder.
 */
function servedTemplate(fill: (dataDir: string) => Promise<void>): Promise<string> {
  template ??= makeOnce(join(quickFolder(), 'served'), fill);
  return template;
}

async function makeOnce(path: string, fill: (dataDir: string) => Promise<void>): Promise<string> {
  const client = new pg.Client({ connectionString: inject('testDatabaseUrl') });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [path]);
    if (existsSync(path)) return path;
    const draft = await mkdtemp(`${path}-draft-`);
    // If root runs the tests, PostgreSQL runs as another user, who needs access.
    await chmod(draft, 0o755);
    await fill(draft);
    await serveOnce(draft);
    await rename(draft, path);
    return path;
  } finally {
    await client.end();
  }
}

/** Starts a server on the folder, and stops it once it serves. */
async function serveOnce(dataDir: string): Promise<void> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const server = spawn(process.execPath, [programFile('gatehouse-server', SOURCES)], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', OPS_PORT: '0', GATEHOUSE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(server, 'exit');
  const said = await untilItServes(server, ended);
  server.kill('SIGTERM');
  const [status] = await ended;
  if (status === 0) return;
  await rm(dataDir, { recursive: true, force: true });
  throw new Error(`the server ended with ${status}: ${said()}`);
}

async function untilItServes(server: ChildProcess, ended: Promise<unknown>): Promise<() => string> {
  let said = '';
  const serves = new Promise<void>((resolve) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        said += text;
        if (said.includes('"url":"') || said.includes('Gatehouse serves ')) resolve();
      });
    }
  });
  await Promise.race([serves, ended]);
  return () => said;
}
