import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createTestDatabase } from '@gatehouse/test-database';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { call, signInWith } from '../testing/client.ts';
import { execute } from '../testing/execute.ts';
import { migrate } from '../testing/migrate.ts';
import { openRaw } from '../testing/raw-http.ts';
import { makeDataFolder, type SpawnedServer, spawnServer } from '../testing/spawn-server.ts';
import { DEMO_LOCK } from './start/open-demo.ts';

const shell = promisify(execFile);
const postmasterFile = (dataDir: string) => join(dataDir, 'postgres', 'data', 'postmaster.pid');
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Expects the one line that says why, a status, and nothing left behind. */
async function expectRefusal(server: SpawnedServer, status: number, line: RegExp) {
  expect(await server.ended).toBe(status);
  expect(server.errors()).toMatch(line);
  expect(server.errors().trimEnd().split('\n')).toHaveLength(1);
}

describe('the embedded default', () => {
  it('starts, says how to try it, and every command that it says works as pasted', async () => {
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

  it('leaves the facts of the demo in a file for its owner alone', async () => {
    await using folder = await makeDataFolder();
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

  it('keeps its data and the file from start to start, and accepts what it issued in another format', async () => {
    await using folder = await makeDataFolder();
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

  it('says so when the facts are lost, and serves all the same', async () => {
    await using folder = await makeDataFolder();
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

  it('is shared by servers that start and leave in any order, and filled once', async () => {
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
  ])('is orderly after %s: status 0, and nothing left running', async (_, settings, stop) => {
    await using folder = await makeDataFolder();
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

  it('is orderly while it still starts', async () => {
    await using folder = await makeDataFolder();
    const server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path });
    await expect.poll(() => exists(join(folder.path, 'postgres')), { timeout: 10_000 }).toBe(true);
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(await exists(postmasterFile(folder.path))).toBe(false);
  });

  it('does not wait for a start that waits for something itself', async () => {
    await using folder = await makeDataFolder();
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

  it('is announced: for a while requests are still taken, but the server is not ready any more', async () => {
    await using folder = await makeDataFolder();
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

describe('a start that cannot be', () => {
  const nowhere = {
    DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/x',
    GATEHOUSE_MASTER_KEY: createMasterKey(),
  };

  it('tells all wrong settings, and ends with 2 before anything is started', async () => {
    await using folder = await makeDataFolder();
    const server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path, PORT: 'x', TOKEN_FORMAT: 'x' });
    expect(await server.ended).toBe(2);
    expect(server.errors().split('\n').slice(0, -1)).toEqual([
      'Gatehouse cannot start: PORT must be a whole number from 0 to 65535',
      'Gatehouse cannot start: TOKEN_FORMAT must be one of paseto, jwt',
    ]);
    expect(await exists(join(folder.path, 'postgres'))).toBe(false);
  });

  it('names a port that is in use', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await using _closed = { [Symbol.asyncDispose]: async () => void occupant.close() };
    await expect.poll(() => occupant.listening).toBe(true);
    const { port } = occupant.address() as { port: number };
    await using folder = await makeDataFolder();
    for (const name of ['PORT', 'OPS_PORT']) {
      const server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path, [name]: String(port) });
      await expectRefusal(server, 1, new RegExp(`127\\.0\\.0\\.1:${port} is in use .* another ${name}\\n$`));
      expect(await exists(postmasterFile(folder.path))).toBe(false);
      expect(await exists(join(folder.path, 'demo.json'))).toBe(false);
    }
  });

  it('names an address that is none of this machine', async () => {
    await using folder = await makeDataFolder();
    const server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path, HOST: '192.0.2.1' });
    await expectRefusal(server, 1, /192\.0\.2\.1 is no address of this machine: choose another HOST\n$/);
  });

  it('names a data folder that cannot be used', async () => {
    await using folder = await makeDataFolder();
    await writeFile(join(folder.path, 'file'), '');
    const dataDir = join(folder.path, 'file', 'data');
    await expectRefusal(spawnServer({ GATEHOUSE_DATA_DIR: dataDir }), 1, /file\/data cannot be used: .+\n$/);
  });

  it('names a database that cannot be reached, without its password', async () => {
    const server = spawnServer(nowhere);
    await expectRefusal(server, 1, /the database cannot be reached: .*127\.0\.0\.1:1\n$/);
    expect(server.out() + server.errors()).not.toContain('secret');
  });

  it('names a damaged file of facts', async () => {
    await using folder = await makeDataFolder();
    await mkdir(folder.path, { recursive: true });
    await writeFile(join(folder.path, 'demo.json'), '{"token":');
    await expectRefusal(
      spawnServer({ GATEHOUSE_DATA_DIR: folder.path }),
      1,
      /demo\.json is not what a start wrote/,
    );
    expect(await exists(postmasterFile(folder.path))).toBe(false);
  });
});

describe('a database of one’s own', () => {
  it('is neither migrated nor filled: the server names the command, and ends', async () => {
    await using database = await createTestDatabase();
    const settings = { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: createMasterKey() };
    await expectRefusal(spawnServer(settings), 1, /behind this version: run `gatehouse migrate` first\n$/);

    await migrate(database.url);
    await using server = spawnServer(settings);
    const url = await server.serving();
    expect(JSON.parse(server.out())).toMatchObject({ level: 'info', msg: 'serving', url });
    expect((await signInWith(url, { email: 'ada@acme.example', password: 'x' })).status).toBe(401);
    expect((await call(url, '/.well-known/paserk.json')).json).toMatchObject({ keys: [expect.any(Object)] });
  });

  it('needs a master key, and the one that its keys are encrypted with', async () => {
    await using folder = await makeDataFolder();
    await using database = await createTestDatabase();
    await migrate(database.url);
    const { DATABASE_URL, GATEHOUSE_MASTER_KEY } = {
      DATABASE_URL: database.url,
      GATEHOUSE_MASTER_KEY: createMasterKey(),
    };
    await expectRefusal(spawnServer({ DATABASE_URL }, folder.path), 1, /GATEHOUSE_MASTER_KEY/);
    await expectRefusal(
      spawnServer({ DATABASE_URL, GATEHOUSE_MASTER_KEY_FILE: join(folder.path, 'none') }),
      1,
      /GATEHOUSE_MASTER_KEY_FILE: .*none cannot be read/,
    );
    const first = spawnServer({ DATABASE_URL, GATEHOUSE_MASTER_KEY });
    await first.serving();
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);

    const keys = () => execute(database.url, 'select * from signing_keys');
    const before = await keys();
    const other = { DATABASE_URL, GATEHOUSE_MASTER_KEY: createMasterKey() };
    await expectRefusal(spawnServer(other), 1, /master key is not the one/);
    expect(await keys()).toEqual(before);
  });

  it('that a newer version migrated is left alone', async () => {
    await using database = await createTestDatabase();
    await migrate(database.url);
    await execute(database.url, "insert into kysely_migration values ('9999-of-a-newer-version', now())");
    const settings = { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: createMasterKey() };
    await expectRefusal(spawnServer(settings), 1, /migrated by a newer version of Gatehouse/);
    expect(await execute(database.url, 'select from signing_keys')).toEqual([]);
  });
});
