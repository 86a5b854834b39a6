import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openRaw, sendRaw } from '@gatehouse/front/testing';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createTestDatabase, programFile } from '@gatehouse/test-database';
import { describe, expect, it, test } from 'vitest';
import { call, ME } from '../../testing/client.ts';
import { exists, postmasterFile } from '../../testing/data-folder.ts';
import { SCHEMA } from '../../testing/migrate.ts';
import { expectRefusal } from '../../testing/refused-start.ts';
import { type SpawnedServer, serveDataFolder, spawnServer } from '../../testing/spawn-server.ts';
import { createReplacementBackoff, firstAnswers } from './workers.ts';

const GATEHOUSE = fileURLToPath(new URL('../../../cli/bin/gatehouse.js', import.meta.url));
const run = promisify(execFile);

const IN_USE = /^Gatehouse cannot start: 127\.0\.0\.1:\d+ is in use .* another (OPS_)?PORT\n$/;
const TWO = { WORKERS: '2', ACCESS_LOG: 'on' };

/** A request on a connection of its own, which reaches any of the workers. */
async function request(url: string, path = '/openapi.json', token = ''): Promise<number | undefined> {
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  return (await sendRaw(url, head))[0]?.status;
}

/** The two processes that answer now, other than those that did before. */
async function workersOf(server: SpawnedServer, url: string, before: readonly number[] = []) {
  const found = () => {
    const lines = server.out().match(/^\{.*"msg":"a request was answered"\}$/gm) ?? [];
    const pids = new Set<number>(lines.map((line) => JSON.parse(line).pid));
    return [...pids].filter((pid) => !before.includes(pid));
  };
  const ask = async () => {
    await request(url);
    return found().length;
  };
  await expect.poll(ask, { timeout: 30_000 }).toBe(2);
  return found() as [number, number];
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Servers on a database that is no part of any server's process group, so that they may be killed. */
async function serveWorkers() {
  const resources = new AsyncDisposableStack();
  const database = resources.use(await createTestDatabase(SCHEMA));
  const settings = { ...TWO, DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: createMasterKey() };
  const server = resources.use(spawnServer(settings));
  const url = await server.serving();
  const workers = await workersOf(server, url);
  return { settings, server, url, workers, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

describe('several workers', () => {
  it('share the port and the embedded database, and leave nothing behind', async () => {
    await using server = await serveDataFolder(TWO);
    const { url, demo } = server;
    const workers = await workersOf(server, url);
    expect(workers).not.toContain(server.process.pid);
    expect(await request(url, ME, demo.token)).toBe(200);
    expect((await call(server.opsUrl(), '/ready')).json).toEqual({ status: 'ready' });
    await Promise.all(Array.from({ length: 20 }, () => request(url, '/.well-known/jwks.json')));
    const metrics = (await call(server.opsUrl(), '/metrics')).text;
    expect(metrics).toMatch(/_count\{route="\/\.well-known\/jwks\.json",method="GET",status="200"\} 20\n/);

    using _silent = await openRaw(url);
    const asked = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - asked).toBeLessThan(7_000);
    expect(workers.filter(isAlive)).toEqual([]);
    expect(await exists(postmasterFile(server.path))).toBe(false);
    expect(server.errors()).toBe('');
    expect(server.out()).not.toContain('a worker ended');
  });

  it('all refuse a token within a second of its revocation by the command line', async () => {
    await using server = await serveDataFolder(TWO);
    const { url, demo, path } = server;
    const me = await call(url, ME, { token: demo.token });
    const { id } = (me.json as { token: { id: string } }).token;
    const askAll = () => Promise.all(Array.from({ length: 12 }, () => request(url, ME, demo.token)));
    await workersOf(server, url);
    expect(await askAll()).toEqual(Array(12).fill(200));

    const revoke = ['token', 'revoke', id, '--as', demo.admin.email, '--yes'];
    const { PATH, HOME, NODE_COMPILE_CACHE = '' } = process.env;
    const env = { PATH, HOME, NODE_COMPILE_CACHE, GATEHOUSE_DATA_DIR: path };
    await run(process.execPath, [programFile('gatehouse', GATEHOUSE), ...revoke], { env });
    await expect.poll(askAll, { timeout: 1_000 }).toEqual(Array(12).fill(401));
  });

  it('are replaced when they crash, one after another or all at once, and the port stays', async () => {
    await using served = await serveWorkers();
    const { server, url, workers: first } = served;
    for (const pid of first) {
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => isAlive(pid)).toBe(false);
      // The other one answers, and it alone.
      expect(await Promise.all([request(url), request(url), request(url)])).toEqual([200, 200, 200]);
      await expect
        .poll(() => server.out().split('serves in place of a worker that ended').length - 1, {
          timeout: 30_000,
        })
        .toBe(first.indexOf(pid) + 1);
    }
    const second = await workersOf(server, url, first);
    for (const pid of second) process.kill(pid, 'SIGKILL');
    await expect.poll(() => request(url).catch(() => 'refused'), { timeout: 30_000 }).toBe(200);
    await workersOf(server, url, [...first, ...second]);
    expect(server.out().match(/"status":"SIGKILL".*a worker ended: a new worker replaces it/g)).toHaveLength(
      4,
    );
    expect((await call(server.opsUrl(), '/ready')).status).toBe(200);
  });

  it('do not share their port with those of another server', async () => {
    await using served = await serveWorkers();
    const { port } = new URL(served.url);
    await expectRefusal(spawnServer({ ...served.settings, PORT: port }), 1, IN_USE);
    await expectRefusal(spawnServer({ ...served.settings, OPS_PORT: port }), 1, IN_USE);
  });

  it('end with the primary process, even when it is killed', async () => {
    await using served = await serveWorkers();
    const { server, url } = served;
    server.process.kill('SIGKILL');
    // It ends only when its streams are closed, which the workers have open, too.
    expect(await server.ended).toBe('SIGKILL');
    // The system closes those first, and the port a moment later.
    await expect.poll(() => request(url).catch(String), { timeout: 30_000 }).toMatch('ECONNREFUSED');
  });

  it('leave it to the primary process to handle a signal to all of them', async () => {
    await using served = await serveWorkers();
    const { server, url, workers } = served;
    for (const pid of workers)
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal);
    for (const _ of workers) expect(await request(url)).toBe(200);
    expect(await workersOf(server, url)).toEqual(workers);
    server.process.kill('SIGINT');
    for (const pid of workers) process.kill(pid, 'SIGINT');
    expect(await server.ended).toBe(0);
    expect(workers.filter(isAlive)).toEqual([]);
    expect(server.errors()).toBe('');
  });

  it('that hang make the server degraded, not ready if all of them hang, and cannot delay its exit', async () => {
    await using served = await serveWorkers();
    const { server, workers } = served;
    const ask = () => call(server.opsUrl(), '/ready');
    const ready = async () => (await ask()).status;
    const [one, other] = workers;
    process.kill(one, 'SIGSTOP');
    expect((await ask()).json).toEqual({
      status: 'degraded',
      reason: 'A worker does not answer in time.',
    });
    process.kill(other, 'SIGSTOP');
    expect(await ready()).toBe(503);
    process.kill(other, 'SIGCONT');
    await expect.poll(ready).toBe(200);
    server.process.kill('SIGTERM');
    await delay(600);
    expect(await server.stop()).toBe(0);
    expect(workers.filter(isAlive)).toEqual([]);
  });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Two processes that answer, and a time that is over, when the test says so. */
function askTwo() {
  const [one, other] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const { promise: late, resolve: beLate } = Promise.withResolvers<void>();
  let answers: readonly (string | undefined)[] | undefined;
  void firstAnswers([one.promise, other.promise], late).then((given) => {
    answers = given;
  });
  return { one, other, beLate, answers: () => settled().then(() => answers) };
}

test('if all of them are late, the first response is waited for', async () => {
  const { other, beLate, answers } = askTwo();
  beLate();
  expect(await answers()).toBeUndefined();
  other.resolve('trusted');
  expect(await answers()).toEqual([undefined, 'trusted']);
});

test('after the first response the others are waited for until the time limit', async () => {
  const { one, beLate, answers } = askTwo();
  one.resolve('trusted');
  expect(await answers()).toBeUndefined();
  beLate();
  expect(await answers()).toEqual(['trusted', undefined]);
});

test('nothing is waited for if all have responded, or there are no processes', async () => {
  const { one, other, answers } = askTwo();
  one.resolve('trusted');
  other.resolve('not trusted');
  expect(await answers()).toEqual(['trusted', 'not trusted']);
  expect(await firstAnswers([], new Promise(() => undefined))).toEqual([]);
});

test('the first worker that ends is replaced at once, and those that end early again with growing delays', () => {
  const backoff = createReplacementBackoff(() => 0);
  const pauses = Array.from({ length: 10 }, () => backoff(500));
  expect(pauses).toEqual([0, 100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
});

test('a worker that served for a while is replaced at once', () => {
  const backoff = createReplacementBackoff(() => 0);
  for (let count = 0; count < 5; count += 1) backoff(500);
  expect([backoff(10_000), backoff(500)]).toEqual([0, 100]);
});

test('workers that end together are not all started together', () => {
  const backoff = createReplacementBackoff(() => 0.5);
  expect([backoff(500), backoff(500)]).toEqual([0, 75]);
});
