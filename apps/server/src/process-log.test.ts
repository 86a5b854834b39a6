import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createTestDatabase } from '@gatehouse/test-database';
import { expect, test } from 'vitest';
import { askMany } from '../testing/ask-many.ts';
import { migrate } from '../testing/migrate.ts';
import { spawnServer } from '../testing/spawn-server.ts';
import { openLog } from './process-log.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** Their lines fill every buffer between a server and whoever reads its log. */
const REQUESTS = 4000;

test('who does not read the log stops no request, and finds all of it later', async ({ signal }) => {
  await using database = await createTestDatabase();
  await migrate(database.url);
  await using server = spawnServer({
    DATABASE_URL: database.url,
    GATEHOUSE_MASTER_KEY: createMasterKey(),
    ACCESS_LOG: 'on',
  });
  signal.addEventListener('abort', () => server.process.kill('SIGKILL'));
  const url = await server.serving();
  server.process.stdout?.pause();
  const garbage = Array.from({ length: REQUESTS }, (_, index) => `garbage${index}`);
  expect([...(await askMany(url, '/api/v1/me.json', garbage))]).toEqual([[401, REQUESTS]]);

  server.process.stdout?.resume();
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  const lines = server.out().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line)).filter(({ status }) => status === 401)).toHaveLength(REQUESTS);
});

test('a server whose log nobody reads ends all the same', async ({ signal }) => {
  await using database = await createTestDatabase();
  await migrate(database.url);
  await using pipe = await openPipe();
  // Opened anew: one that blocks, as a shell gives it.
  const stdout = openSync(pipe.path, 'r+');
  const server = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      GATEHOUSE_MASTER_KEY: createMasterKey(),
      ACCESS_LOG: 'on',
      PORT: '0',
      OPS_PORT: '0',
    },
    stdio: ['ignore', stdout, 'ignore'],
  });
  closeSync(stdout);
  signal.addEventListener('abort', () => server.kill('SIGKILL'));
  const ended = once(server, 'exit');
  const [line = ''] = await pipe.readUntil('"serving"');
  const garbage = Array.from({ length: REQUESTS }, (_, index) => `garbage${index}`);
  expect([...(await askMany(JSON.parse(line).url, '/api/v1/me.json', garbage))]).toEqual([[401, REQUESTS]]);
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a log that cannot be written, to a full disk say, ends nothing', async () => {
  const { log, end } = openLog('info', openSync('/dev/full', 'w'));
  for (let index = 0; index < 3; index++) log.info('said');
  await end();
});

test('more than may wait is lost, and the log says how many lines', async () => {
  await using pipe = await openPipe();
  const { log } = openLog('info', pipe.fd, 20_000);
  const text = 'x'.repeat(1000);
  for (let index = 0; index < 200; index++) log.info({ text }, 'said');
  const lines = await pipe.readUntil('"lines":');
  const said = lines.filter((line) => line.includes('"said"')).length;
  const [lost] = lines.filter((line) => line.includes('"lines":')).map((line) => JSON.parse(line));
  expect(lost).toMatchObject({ level: 'error', lines: 200 - said });
  expect(lost.lines).toBeGreaterThan(0);
});

/** A pipe of the file system: what is written to it waits for whoever reads. */
async function openPipe() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-log-'));
  const path = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [path]);
  const handle = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
  return {
    path,
    fd: handle.fd,
    async readUntil(wanted: string): Promise<readonly string[]> {
      let text = '';
      while (!text.includes(wanted) || !text.endsWith('\n')) {
        const { bytesRead, buffer } = await handle.read().catch(noneYet);
        text += buffer.subarray(0, bytesRead).toString();
      }
      return text.trimEnd().split('\n');
    },
    async [Symbol.asyncDispose]() {
      await handle.close();
      await rm(folder, { recursive: true });
    },
  };
}

function noneYet(error: unknown) {
  if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  return { bytesRead: 0, buffer: Buffer.alloc(0) };
}
