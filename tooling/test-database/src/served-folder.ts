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

/** Gives a data folder its database cluster, which is faster than creating one. */
type Fill = (dataDir: string) => Promise<void>;

/** Data of a test, in addition to the data that a server makes. */
interface Addition {
  /** One word; folders with the same addition are copies of one. */
  readonly name: string;
  /** Adds it to a folder on which no server runs. */
  readonly add: (dataDir: string) => Promise<void>;
}

/**
 * Fills an empty data folder as if a server had run on it: with the tables, the master key, the keys and the demo. It is for
 * tests that need a server but not its first start, which spends most of its time in migrations.
 */
export async function fillServedFolder(dataDir: string, fill: Fill, addition?: Addition): Promise<void> {
  const template = addition === undefined ? servedTemplate(fill) : templateWith(addition, fill);
  await run('cp', ['-a', `${await template}/.`, dataDir]);
}

const servedTemplate = (fill: Fill) =>
  templateOf('served', async (draft) => {
    await fill(draft);
    await serveOnce(draft);
  });

const templateWith = ({ name, add }: Addition, fill: Fill) =>
  templateOf(`served-${name}`, async (draft) => {
    await fillServedFolder(draft, fill);
    await add(draft);
  });

const templates = new Map<string, Promise<string>>();

/**
 * The folder from which others are copied. The first process of a run that needs it makes it; it is removed with the
 * run's folder.
 */
function templateOf(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const template = templates.get(name) ?? makeOnce(join(quickFolder(), name), make);
  templates.set(name, template);
  return template;
}

async function makeOnce(path: string, make: (draft: string) => Promise<void>): Promise<string> {
  const client = new pg.Client({ connectionString: inject('testDatabaseUrl') });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [path]);
    if (existsSync(path)) return path;
    const draft = await mkdtemp(`${path}-draft-`);
    // If root runs the tests, PostgreSQL runs as another user, who needs access.
    await chmod(draft, 0o755);
    try {
      await make(draft);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
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
  if (status !== 0) throw new Error(`the server ended with ${status}: ${said()}`);
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
