import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createTestDatabase } from '@gatehouse/test-database';
import { describe, expect, it } from 'vitest';
import { call } from '../../testing/client.ts';
import { SCHEMA } from '../../testing/migrate.ts';
import { openRaw, sendRaw } from '../../testing/raw-http.ts';
import {
  makeDataFolder,
  makeUsedDataFolder,
  type SpawnedServer,
  spawnServer,
} from '../../testing/spawn-server.ts';

const GATEHOUSE = fileURLToPath(new URL('../../../cli/bin/gatehouse.js', import.meta.url));
const run = promisify(execFile);

const TWO = { WORKERS: '2', ACCESS_LOG: 'on' };
const opsUrl = (server: SpawnedServer) =>
  /Health: (\S+)\/ready|"ops_url":"(\S+?)"/.exec(server.out())?.slice(1).join('') ?? '';

/** A request on a connection of its own, which reaches any of the workers. */
async function request(url: string, path = '/openapi.json', token = ''): Promise<number | undefined> {
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  return (await sendRaw(url, head))[0]?.status;
}

/** The two processes that answer now, other than those that did before. */
async function workersOf(server: SpawnedServer, url: string, before: readonly number[] = []) {
  const found = () => {
    const lines = server.out().match(/^\{.*"msg":"request"\}$/gm) ?? [];
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

/** A database that is no part of any server's process group, so that servers may be killed. */
async function ownDatabase() {
  const database = await createTestDatabase(SCHEMA);
  return {
    settings: { ...TWO, DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: createMasterKey() },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

describe('several workers', () => {
  it('share the port and the embedded database, and leave nothing behind', async () => {
    await using folder = await makeUsedDataFolder();
    await using server = spawnServer({ ...TWO, GATEHOUSE_DATA_DIR: folder.path });
    const url = await server.serving();
    const workers = await workersOf(server, url);
    expect(workers).not.toContain(server.process.pid);
    const { token } = JSON.parse(await readFile(join(folder.path, 'demo.json'), 'utf8'));
    expect(await request(url, '/api/v1/me.json', token)).toBe(200);
    expect((await call(opsUrl(server), '/ready')).json).toEqual({ status: 'ready' });
    await Promise.all(Array.from({ length: 20 }, () => request(url, '/.well-known/jwks.json')));
    const metrics = (await call(opsUrl(server), '/metrics')).text;
    expect(metrics).toMatch(/_count\{route="\/\.well-known\/jwks\.json",method="GET",status="200"\} 20\n/);

    using _silent = await openRaw(url);
    const asked = performance.now();
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(performance.now() - asked).toBeLessThan(7_000);
    expect(workers.filter(isAlive)).toEqual([]);
    await expect(access(join(folder.path, 'postgres', 'data', 'postmaster.pid'))).rejects.toThrow();
    expect(server.errors()).toBe('');
    expect(server.out()).not.toContain('a worker ended');
  });

  it('all refuse a token within a second of its revocation by the command line', async () => {
    await using folder = await makeUsedDataFolder();
    await using server = spawnServer({ ...TWO, GATEHOUSE_DATA_DIR: folder.path });
    const url = await server.serving();
    const demo = JSON.parse(await readFile(join(folder.path, 'demo.json'), 'utf8'));
    const me = await call(url, '/api/v1/me.json', demo);
    const { id } = (me.json as { token: { id: string } }).token;
    const askAll = () =>
      Promise.all(Array.from({ length: 12 }, () => request(url, '/api/v1/me.json', demo.token)));
    await workersOf(server, url);
    expect(await askAll()).toEqual(Array(12).fill(200));

    const revoke = ['token', 'revoke', id, '--as', demo.admin.email, '--yes'];
    const { PATH, HOME, NODE_COMPILE_CACHE = '' } = process.env;
    const env = { PATH, HOME, NODE_COMPILE_CACHE, GATEHOUSE_DATA_DIR: folder.path };
    await run(process.execPath, [GATEHOUSE, ...revoke], { env });
    await expect.poll(askAll, { timeout: 1_000 }).toEqual(Array(12).fill(401));
  });

  it('are replaced when they crash, one after another or all at once, and the port stays', async () => {
    await using database = await ownDatabase();
    await using server = spawnServer(database.settings);
    const url = await server.serving();
    const first = await workersOf(server, url);
    for (const pid of first) {
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => isAlive(pid)).toBe(false);
      // The other one answers, and it alone.
      expect(await Promise.all([request(url), request(url), request(url)])).toEqual([200, 200, 200]);
      await expect
        .poll(() => server.out().split('serves in place of one that ended').length - 1, { timeout: 30_000 })
        .toBe(first.indexOf(pid) + 1);
    }
    const second = await workersOf(server, url, first);
    for (const pid of second) process.kill(pid, 'SIGKILL');
    await expect.poll(() => request(url).catch(() => 'refused'), { timeout: 30_000 }).toBe(200);
    await workersOf(server, url, [...first, ...second]);
    expect(
      server.out().match(/"status":"SIGKILL".*a worker ended: another one takes its place/g),
    ).toHaveLength(4);
    expect((await call(opsUrl(server), '/ready')).status).toBe(200);
  });

  it('do not share their port with those of another server', async () => {
    await using database = await ownDatabase();
    await using server = spawnServer(database.settings);
    const { port } = new URL(await server.serving());
    const other = spawnServer({ ...database.settings, PORT: port });
    expect(await other.ended).toBe(1);
    expect(other.errors()).toMatch(/^Gatehouse cannot start: 127\.0\.0\.1:\d+ is in use .* another PORT\n$/);
  });

  it('end with the primary process, even when it is killed', async () => {
    await using database = await ownDatabase();
    const server = spawnServer(database.settings);
    const url = await server.serving();
    await workersOf(server, url);
    server.process.kill('SIGKILL');
    // It ends only when its streams are closed, which the workers have open, too.
    expect(await server.ended).toBe('SIGKILL');
    await expect(request(url)).rejects.toThrow('ECONNREFUSED');
  });

  it('leave it to the primary process to handle a signal to all of them', async () => {
    await using database = await ownDatabase();
    await using server = spawnServer(database.settings);
    const url = await server.serving();
    const workers = await workersOf(server, url);
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

  it('announce their shutdown: for a while they answer requests, but the server is not ready', async () => {
    await using database = await ownDatabase();
    await using server = spawnServer({ ...database.settings, DRAIN_DELAY_MS: '7000' });
    const url = await server.serving();
    const workers = await workersOf(server, url);
    server.process.kill('SIGTERM');
    await expect.poll(async () => (await call(opsUrl(server), '/ready')).status).toBe(503);
    const { status, headers } = await call(url, '/openapi.json');
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    await delay(600);
    const asked = performance.now();
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(performance.now() - asked).toBeLessThan(5_000);
    expect(workers.filter(isAlive)).toEqual([]);
  });

  it('that hang make the server degraded, not ready if all of them hang, and cannot delay its exit', async () => {
    await using database = await ownDatabase();
    await using server = spawnServer(database.settings);
    const workers = await workersOf(server, await server.serving());
    const ask = () => call(opsUrl(server), '/ready');
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
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(workers.filter(isAlive)).toEqual([]);
  });

  it('that cannot start end the server, with one line that has the reason', async () => {
    await using folder = await makeDataFolder();
    const occupant = createServer().listen(0, '127.0.0.1');
    await using _closed = { [Symbol.asyncDispose]: async () => void occupant.close() };
    await expect.poll(() => occupant.listening).toBe(true);
    const { port } = occupant.address() as { port: number };
    for (const name of ['PORT', 'OPS_PORT']) {
      const server = spawnServer({ ...TWO, GATEHOUSE_DATA_DIR: folder.path, [name]: String(port) });
      expect(await server.ended).toBe(1);
      expect(server.errors()).toMatch(
        new RegExp(`^Gatehouse cannot start: 127\\.0\\.0\\.1:${port} is in use .* another ${name}\\n$`),
      );
      await expect(access(join(folder.path, 'demo.json'))).rejects.toThrow();
      await expect(access(join(folder.path, 'postgres', 'data', 'postmaster.pid'))).rejects.toThrow();
    }
  });
});
