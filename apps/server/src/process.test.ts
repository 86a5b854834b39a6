import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { call, signInWith } from '../testing/client.ts';
import { exists, postmasterFile } from '../testing/data-folder.ts';
import { openRaw } from '../testing/raw-http.ts';
import {
  makeDataFolder,
  makeUsedDataFolder,
  type SpawnedServer,
  spawnServer,
} from '../testing/spawn-server.ts';
import { DEMO_LOCK } from './start/open-demo.ts';

const shell = promisify(execFile);

describe('the embedded default', () => {
  it('starts, explains how to try it, and every printed command works as pasted', async () => {
    await using folder = await makeDataFolder();
    const dataDir = join(folder.path, 'new', 'data');
    await using server = spawnServer({ GATEHOUSE_DATA_DIR: dataDir });
    const url = await server.serving();
    const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));

    const screen = server.out();
    expect(screen.split('\n').length).toBeLessThan(24);
    for (const fact of [url, demo.admin.email, demo.admin.password, demo.token])
      expect(screen).toContain(fact);
    const commands = screen.split('\n').filter((line) => line.trim().startsWith('curl '));
    const answers = await Promise.all(commands.map((command) => shell('sh', ['-c', `${command} -sf`])));
    expect(answers.map(({ stdout }) => JSON.parse(stdout))).toEqual([
      { token: expect.any(String) },
      { id: demo.organizations[0].id, name: 'Press shop', description: 'Presses 1 to 12' },
    ]);
    expect(server.errors()).toBe('');
  });

  it('writes the demo’s facts to a file that only its owner can read', async () => {
    await using folder = await makeUsedDataFolder();
    await using server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path });
    const url = await server.serving();
    const path = join(folder.path, 'demo.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const demo = JSON.parse(await readFile(path, 'utf8'));
    expect(demo).toEqual({
      base_url: url,
      account: { id: expect.any(Number), name: expect.any(String) },
      organizations: expect.arrayContaining([{ id: expect.any(Number), name: expect.any(String) }]),
      admin: { email: expect.any(String), password: expect.any(String) },
      member: {
        email: expect.any(String),
        password: expect.any(String),
        organization_ids: [expect.any(Number)],
      },
      token: expect.any(String),
      other_account: { organization_id: expect.any(Number) },
    });
    expect(demo.organizations.length).toBeGreaterThan(demo.member.organization_ids.length);
    const me = await call(url, '/api/v1/me.json', { token: demo.token });
    expect(me.json).toMatchObject({ role: 'admin', token: { kind: 'api', scopes: ['*'], expires_at: null } });
    expect((await signInWith(url, demo.member)).status).toBe(200);
  });

  it('keeps its data and the file across starts, and accepts tokens it issued in another format', async () => {
    await using folder = await makeUsedDataFolder();
    const path = join(folder.path, 'demo.json');
    const first = spawnServer({ GATEHOUSE_DATA_DIR: folder.path });
    await first.serving();
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    const before = await readFile(path, 'utf8');

    await using second = spawnServer({ GATEHOUSE_DATA_DIR: folder.path, TOKEN_FORMAT: 'jwt' });
    const url = await second.serving();
    expect(await readFile(path, 'utf8')).toBe(before);
    const { token, admin } = JSON.parse(before);
    expect(token).toMatch(/^v4\.public\./);
    expect((await call(url, '/api/v1/me.json', { token })).status).toBe(200);
    expect((await signInWith(url, admin)).json).toEqual({ token: expect.stringMatching(/^eyJ/) });
  });

  it('reports that the demo’s facts are lost, and serves nevertheless', async () => {
    await using folder = await makeUsedDataFolder();
    const first = spawnServer({ GATEHOUSE_DATA_DIR: folder.path });
    await first.serving();
    first.process.kill('SIGTERM');
    await first.ended;
    await rm(join(folder.path, 'demo.json'));
    await using second = spawnServer({ GATEHOUSE_DATA_DIR: folder.path });
    const url = await second.serving();
    expect(second.out()).toMatch(/demo\.json is not there/);
    expect(second.out()).toContain(`To begin again, stop the server and remove ${folder.path}`);
    expect((await call(url, '/openapi.json')).status).toBe(200);
    expect(await exists(join(folder.path, 'demo.json'))).toBe(false);
  });

  it('is shared by servers that start and stop in any order, and filled once', async () => {
    await using folder = await makeDataFolder();
    const settings = { GATEHOUSE_DATA_DIR: folder.path };
    const servers = [spawnServer(settings), spawnServer(settings)] as const;
    const [one, other] = await Promise.all(servers.map((server) => server.serving()));
    const { token, organizations } = JSON.parse(await readFile(join(folder.path, 'demo.json'), 'utf8'));
    for (const url of [one, other]) {
      const answer = await call(url as string, `/api/v1/orgs/${organizations[0].id}`, { token });
      expect(answer.status).toBe(200);
    }
    expect(organizations[0].id).toBe(1);
    servers[0].process.kill('SIGTERM');
    expect(await servers[0].ended).toBe(0);
    expect((await call(other as string, '/api/v1/me.json', { token })).status).toBe(200);
    servers[1].process.kill('SIGINT');
    expect(await servers[1].ended).toBe(0);
    expect(await exists(postmasterFile(folder.path))).toBe(false);
  });
});

describe('the end', () => {
  it.each<[string, Record<string, string>, (server: SpawnedServer) => void]>([
    ['SIGTERM', {}, ({ process }) => process.kill('SIGTERM')],
    ['SIGTERM where CI is set', { CI: 'true', TEST: '1' }, ({ process }) => process.kill('SIGTERM')],
    ['SIGINT', {}, ({ process }) => process.kill('SIGINT')],
    ['SIGHUP', {}, ({ process }) => process.kill('SIGHUP')],
    ['the end of the program that started it', {}, ({ process }) => process.disconnect()],
  ])('is graceful after %s: status 0, and nothing left running', async (_, settings, stop) => {
    await using folder = await makeUsedDataFolder();
    await using server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path, ...settings });
    const url = await server.serving();
    // Connections that are kept open do not hold it up.
    await call(url, '/openapi.json');
    using _silent = await openRaw(url);
    expect(await exists(postmasterFile(folder.path))).toBe(true);
    const asked = performance.now();
    stop(server);
    expect(await server.ended).toBe(0);
    // What is not answered after 8 s is cut: so long it would take if a connection had held it up.
    expect(performance.now() - asked).toBeLessThan(7_000);
    expect(await exists(postmasterFile(folder.path))).toBe(false);
    expect(server.errors()).toBe('');
  });

  it('is graceful during the start', async () => {
    await using folder = await makeDataFolder();
    const server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path });
    await expect.poll(() => exists(join(folder.path, 'postgres')), { timeout: 60_000 }).toBe(true);
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(await exists(postmasterFile(folder.path))).toBe(false);
  });

  it('does not wait for a start that is waiting itself', async () => {
    await using folder = await makeUsedDataFolder();
    await using postgres = await openEmbeddedPostgres({ dataDir: folder.path });
    const holder = new pg.Client({ connectionString: postgres.url });
    await holder.connect();
    try {
      await holder.query(`select pg_advisory_lock(${DEMO_LOCK})`);
      const server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path });
      const waiting = "select from pg_locks where locktype = 'advisory' and not granted";
      await expect
        .poll(async () => (await holder.query(waiting)).rowCount, { timeout: 20_000, interval: 200 })
        .toBe(1);
      const asked = performance.now();
      server.process.kill('SIGTERM');
      expect(await server.ended).toBe(0);
      expect(performance.now() - asked).toBeLessThan(9_000);
      expect(server.errors()).toBe('');
    } finally {
      await holder.end();
    }
  });

  it('is announced: for a while the server answers requests but is not ready any more', async () => {
    await using folder = await makeUsedDataFolder();
    await using server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path, DRAIN_DELAY_MS: '7000' });
    const url = await server.serving();
    const opsUrl = /Health: (\S+)\/ready/.exec(server.out())?.[1] ?? '';
    expect((await call(opsUrl, '/ready')).status).toBe(200);
    server.process.kill('SIGTERM');
    await expect.poll(async () => (await call(opsUrl, '/ready')).status).toBe(503);
    const { status, headers } = await call(url, '/openapi.json');
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    // The same signal again, and it does not wait.
    await delay(600);
    const asked = performance.now();
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(performance.now() - asked).toBeLessThan(5_000);
  });
});
