import { setTimeout as delay } from 'node:timers/promises';
import { openSilenceableProxy } from '@gatehouse/test-database';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openWatch, watched } from '../testing/kills.ts';
import { anInstallation, PASSWORD } from '../testing/people.ts';
import { startCli } from '../testing/process.ts';
import { runHere } from '../testing/run-here.ts';

const ONE_LINE = /^error: [^\n]+\n$/;

const database = await anInstallation();
const { settings } = database;
const watch = await openWatch(database.url);
afterAll(async () => {
  await watch.close();
  await database.drop();
});

let serial = 0;
async function aToken(): Promise<string> {
  serial += 1;
  const { stdout, stderr } = await runHere(settings, ['token', 'create', '--name', `t${serial}`, '--json']);
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout).id;
}

async function stateOf(id: string): Promise<string> {
  return JSON.parse((await runHere(settings, ['token', 'show', id, '--json'])).stdout).state;
}

const revoke = (id: string) => ['token', 'revoke', id, '--yes'];

async function aClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Another transaction locks the token's row, which stops every change of it in the middle. */
async function holdRow(id: string) {
  // Within a transaction, pg_stat_activity does not change.
  const [client, observer] = [await aClient(), await aClient()];
  await client.query('begin');
  await client.query('select from tokens where id = $1 for update', [id]);
  return {
    /** Waits until another session waits for the lock, and returns its process id. */
    async waitedFor(): Promise<number> {
      for (;;) {
        const { rows } = await observer.query(
          `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        if (rows[0]) return rows[0].pid;
        await delay(5);
      }
    },
    end: (pid: number) => observer.query('select pg_terminate_backend($1)', [pid]),
    release: () => client.query('rollback'),
  };
}

/** Starts a revocation, and waits until it is in the middle of its change. */
async function aHeldRevocation() {
  const id = await aToken();
  const proxy = await openSilenceableProxy(database.url);
  onTestFinished(() => proxy.close());
  const row = await holdRow(id);
  const started = startCli(watched({ ...settings, DATABASE_URL: proxy.url }), revoke(id));
  const pid = await row.waitedFor();
  const expectNoChange = async () => {
    await row.release();
    await watch.settled();
    expect(await stateOf(id)).toBe('active');
    expect(await watch.disagreements()).toEqual([]);
  };
  return { ...started, id, proxy, endSession: () => row.end(pid), expectNoChange };
}

test('ending the database session during a change is a fault in one line, and nothing is changed', async () => {
  const { id, ended, endSession, expectNoChange } = await aHeldRevocation();
  await endSession();
  expect(await ended).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
  await expectNoChange();
  expect(await runHere(settings, revoke(id))).toMatchObject({ status: 0 });
});

test('cutting the connection during a change is a fault in one line, and nothing is changed', async () => {
  const { proxy, ended, expectNoChange } = await aHeldRevocation();
  proxy.cut(true);
  expect(await ended).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
  await expectNoChange();
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s while the database does not respond ends a command with 130, and nothing is changed',
  async (signal) => {
    const { proxy, child, ended, expectNoChange } = await aHeldRevocation();
    proxy.silence(true);
    child.kill(signal);
    expect(await ended).toEqual({ status: 130, stdout: '', stderr: 'Interrupted.\n' });
    await expectNoChange();
  },
);

test.each([
  ['token', 'list', '--unused-for', '90x'],
  ['token', 'list', '--expiring-within', '-1d'],
  ['token', 'list', '--state', 'fine'],
  ['token', 'list', '--kind', 'API'],
  ['token', 'prune', '--older-than', '1.5d', '--yes'],
  ['token', 'rotate', '019a0000-0000-7000-8000-000000000000', '--grace', 'soon'],
  ['token', 'create', '--name', 'x', '--expires-in', '90x'],
  ['token', 'create', '--name', 'x', '--expires-at', '2027-02-30T00:00:00Z'],
  ['token', 'create', '--name', 'x', '--expires-at', '2027-02-30'],
  ['token', 'create', '--name', 'x', '--expires-in', '1d', '--expires-at', '2027-01-31T00:00:00Z'],
  ['token', 'create', '--name', 'x', '--scope', 'everything'],
  ['token', 'create', '--name', 'x', '--format', 'saml'],
  ['token', 'list', '--as', ''],
  ['token', 'revoke', '', '--yes'],
  ['token', 'revoke', 'v4.public.eyJ', '--yes'],
  ['token', 'revoke', 'ERP', '--stdin', '--yes'],
  ['token', 'revoke', '--stdin', '--yes'],
  ['token', 'revoke', 'ERP'],
  ['account', 'suspend', '1'],
  ['user', 'set-password', 'ada@acme.example', '--password', 'a heavy press, twice'],
  ['token', 'inspect', 'v4.public.eyJ', '--json'],
  ['audit', 'list', '--since', 'yesterday'],
  ['user', 'list', '--account', '1e3'],
  ['user', 'set-role', 'ada@acme.example', 'owner'],
  ['org', 'update', '0', '--name', 'x'],
  ['key', 'create', '--format', ''],
  ['completion', 'tcsh'],
  ['doctor', 'now'],
  ['token', 'list', '--nonsense'],
  ['token', 'nonsense'],
  ['key'],
])('%s %s %s %s is wrong usage, reported without a database', async (...args) => {
  const nowhere = { ...settings, DATABASE_URL: 'postgres://127.0.0.1:1/gatehouse' };
  const refused = await runHere(nowhere, args);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toMatch(/^(error: |Usage: )/);
  expect(refused.stderr).not.toMatch(/\n +at /);
});

test('what is unknown or belongs to another account is not found', async () => {
  await runHere(settings, ['account', 'create', '--name', 'Works']);
  const eve = ['--email', 'eve@works.example', '--name', 'Eve', '--role', 'admin', '--password-stdin'];
  await runHere(settings, ['user', 'create', '--account', '2', ...eve], { stdin: PASSWORD });
  const asEve = { ...settings, GATEHOUSE_AS: 'eve@works.example' };
  const id = await aToken();
  const unknown = '019a0000-0000-7000-8000-000000000000';
  for (const verb of [['show'], ['revoke', '--yes'], ['rotate']]) {
    const [of, no] = [id, unknown].map((each) => runHere(asEve, ['token', ...verb, each]));
    const [another, none] = [await of, await no];
    expect(another, verb.join(' ')).toMatchObject({
      status: verb[0] === 'revoke' ? none?.status : 3,
      stdout: '',
    });
    // The caller does not learn that it exists.
    expect(another?.stderr.replaceAll(id, unknown)).toBe(none?.stderr);
  }
  expect(await stateOf(id)).toBe('active');
  for (const args of [
    ['user', 'disable', 'nobody@acme.example', '--yes'],
    ['user', 'list', '--account', '4711'],
    ['account', 'suspend', '4711', '--yes'],
    ['org', 'delete', '471100', '--yes'],
    ['key', 'activate', 'k4.pid.unknown'],
    ['key', 'retire', 'k4.pid.unknown', '--yes'],
  ]) {
    expect(await runHere(settings, args), args.join(' ')).toEqual({
      status: 3,
      stdout: '',
      stderr: expect.stringMatching(ONE_LINE),
    });
  }
});
