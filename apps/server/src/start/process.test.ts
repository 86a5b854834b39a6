import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import { openRaw } from '@gatehouse/front/testing';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { call, ME, signInWith } from '../../testing/client.ts';
import { exists, postmasterFile } from '../../testing/data-folder.ts';
import {
  makeDataFolder,
  makeUsedDataFolder,
  type SpawnedServer,
  serveDataFolder,
  spawnServer,
} from '../../testing/spawn-server.ts';
import { DEMO_LOCK } from './open-demo.ts';

const shell = promisify(execFile);

describe('the embedded default', () => {
  it('serves at an IPv6 address in brackets, and prints where', async () => {
    await using server = await serveDataFolder({ HOST: '[::1]', OPS_HOST: '[::1]' });
    const { url } = server;
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await call(url, '/openapi.json')).status).toBe(200);
    expect((await call(url, '/sign-in')).status).toBe(200);
    expect(
      (await signInWith(url, { email: 'x@acme.example', password: 'x' }, { headers: { origin: url } }))
        .status,
    ).toBe(401);
    expect(server.out()).toMatch(/Health: http:\/\/\[::1\]:\d+\/ready/);
  });

  it('starts, explains how to try it, every printed command works as pasted, and a file that only its owner reads has the demo’s facts', async () => {
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

    expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);
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
    const me = await call(url, ME, { token: demo.token });
    expect(me.json).toMatchObject({ role: 'admin', token: { kind: 'api', scopes: ['*'], expires_at: null } });
    expect((await signInWith(url, demo.member)).status).toBe(200);
  });

  it('keeps its data and the file across starts, accepts tokens of another format, and serves without the file', async () => {
    await using first = await serveDataFolder();
    const settings = { GATEHOUSE_DATA_DIR: first.path };
    expect(await first.stop()).toBe(0);

    const second = spawnServer({ ...settings, TOKEN_FORMAT: 'jwt' });
    const url = await second.serving();
    const file = join(first.path, 'demo.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(first.demo);
    const { token, admin } = first.demo;
    expect(token).toMatch(/^v4\.public\./);
    expect((await call(url, ME, { token })).status).toBe(200);
    expect((await signInWith(url, admin)).json).toEqual({ token: expect.stringMatching(/^eyJ/) });
    await second.stop();

    await rm(file);
    await using third = spawnServer(settings);
    expect((await call(await third.serving(), '/openapi.json')).status).toBe(200);
    expect(third.out()).toMatch(/demo\.json is missing/);
    expect(third.out()).toContain(`To begin again, stop the server and remove ${first.path}`);
    expect(await exists(file)).toBe(false);
  });

  it('is shared by servers that start and stop in any order, and filled once', async () => {
    await using folder = await makeDataFolder();
    const settings = { GATEHOUSE_DATA_DIR: folder.path };
    const [one, other] = [spawnServer(settings), spawnServer(settings)];
    const urls = await Promise.all([one.serving(), other.serving()]);
    const { token, organizations } = JSON.parse(await readFile(join(folder.path, 'demo.json'), 'utf8'));
    expect(organizations[0].id).toBe(1);
    for (const url of urls) expect((await call(url, '/api/v1/orgs/1', { token })).status).toBe(200);
    expect(await one.stop()).toBe(0);
    expect((await call(urls[1], ME, { token })).status).toBe(200);
    expect(await other.stop()).toBe(0);
    expect(await exists(postmasterFile(folder.path))).toBe(false);
  });
});

it('takes settings that end in a line end of another system', async () => {
  const settings = { HOST: '127.0.0.1\r', TOKEN_FORMAT: 'jwt\r', WORKERS: '2\r\n', TOKEN_ISSUER: 'acme\r' };
  await using server = await serveDataFolder(settings);
  const { json } = await signInWith(server.url, server.demo.admin);
  const [, claims = ''] = (json as { token: string }).token.split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ iss: 'acme' });
});

describe('the end', () => {
  it.each<[string, Record<string, string>, (server: SpawnedServer) => void]>([
    ['SIGTERM', {}, ({ process }) => process.kill('SIGTERM')],
    ['SIGTERM where CI is set', { CI: 'true', TEST: '1' }, ({ process }) => process.kill('SIGTERM')],
    ['SIGINT', {}, ({ process }) => process.kill('SIGINT')],
    ['SIGHUP', {}, ({ process }) => process.kill('SIGHUP')],
    ['the end of the program that started it', {}, ({ process }) => process.disconnect()],
  ])('is graceful after %s: status 0, and nothing left running', async (_, settings, stop) => {
    await using server = await serveDataFolder(settings);
    // Connections that are kept open do not hold it up.
    await call(server.url, '/openapi.json');
    using _silent = await openRaw(server.url);
    expect(await exists(postmasterFile(server.path))).toBe(true);
    const asked = performance.now();
    stop(server);
    expect(await server.ended).toBe(0);
    // Unanswered requests are cut after 8 s: the stop would take that long if a connection delayed it.
    expect(performance.now() - asked).toBeLessThan(7_000);
    expect(await exists(postmasterFile(server.path))).toBe(false);
    expect(server.errors()).toBe('');
  });

  it('is graceful during the start', async () => {
    await using folder = await makeDataFolder();
    const server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path });
    await expect.poll(() => exists(join(folder.path, 'postgres')), { timeout: 60_000 }).toBe(true);
    expect(await server.stop()).toBe(0);
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
      expect(await server.stop()).toBe(0);
      expect(performance.now() - asked).toBeLessThan(9_000);
      expect(server.errors()).toBe('');
    } finally {
      await holder.end();
    }
  });

  it.each(['1', '2'])(
    'is announced: for a while the server answers requests but is not ready, with %s processes',
    async (WORKERS) => {
      await using server = await serveDataFolder({ DRAIN_DELAY_MS: '7000', WORKERS });
      const ready = async () => (await call(server.opsUrl(), '/ready')).status;
      expect(await ready()).toBe(200);
      server.process.kill('SIGTERM');
      await expect.poll(ready).toBe(503);
      const { status, headers } = await call(server.url, '/openapi.json');
      expect([status, headers.get('connection')]).toEqual([200, 'close']);
      // The same signal again, and it does not wait.
      await delay(600);
      const asked = performance.now();
      expect(await server.stop()).toBe(0);
      expect(performance.now() - asked).toBeLessThan(6_300);
    },
  );
});
