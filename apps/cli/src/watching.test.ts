import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { givenAccount, givenToken, givenUser } from '@gatehouse/domain/testing';
import type { Instant } from '@gatehouse/domain/time';
import type { Token, UsageRecorder } from '@gatehouse/domain/tokens';
import { createPostgresRepositories, createPostgresUsageRecorder, openDatabase } from '@gatehouse/postgres';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { environment, PROGRAM, type ProcessEnvironment, runCli, startCli } from '../testing/process.ts';
import { CTRL_C, openTerminal } from '../testing/terminal.ts';

const WATCHING = 'Watching the use of tokens. Press Ctrl-C to stop.\n';

let settings: ProcessEnvironment;
let url: string;
let erp: Token;
let wiki: Token;
/** Records usage like a server. */
let usage: UsageRecorder;
let close: () => Promise<void>;

beforeAll(async () => {
  const created = await aDatabase({ isMigrated: true });
  ({ settings, url } = created);
  const database = openDatabase({ url, poolSize: 1 });
  const store = createPostgresRepositories(database);
  const admin = async (email: string) => givenUser(store, (await givenAccount(store)).id, { email });
  erp = await givenToken(store, await admin('ada@acme.example'), { name: 'ERP' });
  wiki = await givenToken(store, await admin('bo@other.example'), { name: 'Wiki' });
  usage = createPostgresUsageRecorder(database, { report: () => {} });
  close = async () => {
    await database.close();
    await created.drop();
  };
});
// A use that waits to be recorded would be shown to the next test.
afterEach(() => usage.flush());
afterAll(() => close());

const now = () => Date.now() as Instant;

/** Resolves with the text of the stream once it contains these words. */
function says(stream: Readable, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    stream.on('data', (chunk) => {
      said += chunk;
      if (said.includes(words)) resolve(said);
    });
    stream.on('end', () => reject(new Error(`ended without saying "${words}": ${said}`)));
  });
}

async function watch(...args: readonly string[]) {
  const { child, ended } = startCli(settings, ['token', 'watch', ...args]);
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('without pipes nothing is seen');
  await says(stderr, WATCHING);
  return { child, stdout, ended };
}

test('uses that a server records are shown as they happen, and refusals with their reasons', async () => {
  const { child, stdout, ended } = await watch();
  const [first, second] = [says(stdout, '1 use\n'), says(stdout, '2 uses, 2 refused')];
  usage.used(erp.id, now());
  await first;
  usage.used(erp.id, now());
  usage.refused(erp.id, now(), 'insufficient_scope');
  usage.used(erp.id, now());
  usage.refused(erp.id, now(), 'revoked');
  await second;
  child.kill('SIGTERM');
  const { status, stdout: lines, stderr } = await ended;
  expect({ status, stderr }).toEqual({ status: 130, stderr: WATCHING });
  const head = `\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ  ERP \\(${erp.id}\\)  ada@acme\\.example  `;
  expect(lines).toMatch(
    new RegExp(`^${head}1 use\n${head}2 uses, 2 refused: insufficient_scope 1, revoked 1\n$`),
  );
});

test('an admin watches the tokens of the own account, and only the given ones', async () => {
  const { child, stdout, ended } = await watch('--jsonl', '--as', 'bo@other.example', wiki.id);
  const seen = says(stdout, '\n');
  usage.used(erp.id, now());
  await usage.flush();
  usage.used(wiki.id, now());
  await seen;
  child.kill('SIGINT');
  const { status, stdout: lines } = await ended;
  expect(status).toBe(130);
  expect(JSON.parse(lines)).toMatchObject({ id: wiki.id, name: 'Wiki', uses: 1, refusals: {} });
  const refused = await runCli(settings, ['token', 'watch', '--as', 'bo@other.example', erp.id]);
  expect(refused).toMatchObject({ status: 3, stdout: '' });
});

test('Ctrl-C ends it with 130 and no message', async () => {
  const terminal = openTerminal(settings, ['token', 'watch', erp.id]);
  await terminal.shows('Watching the use of tokens. Press Ctrl-C to stop.');
  usage.used(erp.id, now());
  await terminal.shows('1 use');
  terminal.type(CTRL_C);
  expect(await terminal.ended).toBe(130);
  expect(terminal.shown()).not.toContain('Interrupted');
});

test('a forged notification of another role is ignored with a warning', async () => {
  const { child, stdout, ended } = await watch();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  for (const usage of [
    { id: 'foo', uses: 1, at: now() },
    { id: erp.id, uses: 1, at: Number.MAX_SAFE_INTEGER },
    { id: erp.id, uses: 0, at: now(), refusals: { '\u001b[2Jx': 3 } },
  ]) {
    await client.query("select pg_notify('gatehouse_usage', $1)", [JSON.stringify({ v: 1, usage: [usage] })]);
  }
  const seen = says(stdout, '1 use\n');
  usage.used(erp.id, now());
  await seen;
  child.kill('SIGTERM');
  const { status, stdout: lines, stderr } = await ended;
  expect({ status, lines: lines.split('\n').length }).toEqual({ status: 130, lines: 2 });
  expect(stderr.slice(WATCHING.length)).toMatch(
    /^warning: some reports of the use of tokens cannot be read[^\n]*`gatehouse doctor`[^\n]*\n$/,
  );
});

test('a reader that closes early ends it with 0 at the next line', async () => {
  const script = '{ "$0" "$1" token watch; echo "status $?" >&2; } | head -1';
  const shell = spawn('/bin/sh', ['-c', script, process.execPath, PROGRAM], { env: environment(settings) });
  const [watching, ended, read] = [
    says(shell.stderr, WATCHING),
    says(shell.stderr, 'status'),
    says(shell.stdout, '\n'),
  ];
  await watching;
  usage.used(erp.id, now());
  expect(await read).toContain('ERP');
  const using = setInterval(() => usage.used(erp.id, now()), 200);
  onTestFinished(() => clearInterval(using));
  expect(await ended).toBe(`${WATCHING}status 0\n`);
});

test('losing the database ends it with 1 and a message', async () => {
  const { ended } = await watch();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'gatehouse usage feed%'`);
  const { status, stdout, stderr } = await ended;
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr.slice(WATCHING.length)).toMatch(/^error: the listening connection was lost: [^\n]+\n$/);
});

test('a connection to another database is reported and not trusted', async () => {
  await using other = await aDatabase();
  const elsewhere = { ...settings, DATABASE_LISTEN_URL: other.settings.DATABASE_URL ?? '' };
  const refused = await runCli(elsewhere, ['token', 'watch']);
  expect(refused).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^error: [^\n]*same database[^\n]*\n$/),
  });
});
