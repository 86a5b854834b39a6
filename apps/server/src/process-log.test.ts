import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createTestDatabase } from '@gatehouse/test-database';
import { expect, test } from 'vitest';
import { askMany } from '../testing/ask-many.ts';
import { migrate } from '../testing/migrate.ts';
import { spawnServer } from '../testing/spawn-server.ts';
import { openLog } from './process-log.ts';

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
