import { randomBytes } from 'node:crypto';
import { createTestDatabase, openHostileServer } from '@gatehouse/test-database';
import pg from 'pg';
import { expect, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { runCli, startCli } from '../testing/process.ts';
import { runHere } from '../testing/run-here.ts';
import { aSilentServer } from '../testing/silent-server.ts';

/** An error is one line, so that it can be read at a glance and found in a log. */
const ONE_LINE = /^error: [^\n]+\n$/;

/** Runs statements as what the role of the tests is, whatever the settings of the database. */
async function execute(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`set role none; ${statements}`).finally(() => client.end());
}

test('on a database without its schema a command says so, names the remedy, and changes nothing', async () => {
  await using database = await aDatabase();
  const refused = await runCli(database.settings, ['account', 'create', '--name', 'Acme']);
  expect(refused).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
  expect(refused.stderr).toContain('gatehouse migrate');
  expect(await runHere(database.settings, ['account', 'list'])).toMatchObject({ status: 1 });
});

test('migrate brings the schema up to date, changes nothing else, and does nothing when repeated', async () => {
  await using database = await aDatabase();
  const first = await runHere(database.settings, ['migrate', '--json']);
  expect(first.status).toBe(0);
  expect(JSON.parse(first.stdout).applied).toContain('0001-init');
  expect(await runHere(database.settings, ['migrate'])).toEqual({
    status: 0,
    stdout: '',
    stderr: 'The schema is up to date.\n',
  });
  expect((await runHere(database.settings, ['account', 'list', '--json'])).stdout).toBe('[]\n');
  expect((await runHere(database.settings, ['key', 'list', '--json'])).stdout).toBe('[]\n');
});

test('all invalid settings are reported at once', async () => {
  const refused = await runHere(
    { DATABASE_URL: 'mysql://root:hunter2@db', TOKEN_FORMAT: 'xml', MAX_STALENESS_MS: '1s' },
    ['token', 'list'],
  );
  expect(refused).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
  for (const name of ['DATABASE_URL', 'TOKEN_FORMAT', 'MAX_STALENESS_MS']) {
    expect(refused.stderr).toContain(name);
  }
  expect(refused.stderr).not.toContain('hunter2');
});

test('a database that cannot be reached is a fault, reported in one line', async () => {
  const nowhere = { DATABASE_URL: 'postgres://gatehouse:hunter2@127.0.0.1:1/gatehouse' };
  const refused = await runCli(nowhere, ['token', 'list']);
  expect(refused).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
  expect(refused.stderr).not.toContain('hunter2');
});

test('line breaks in a database’s message do not start new lines', async () => {
  await using hostile = await openHostileServer('fails with lines of its own');
  for (const args of [['token', 'list'], ['migrate'], ['token', 'watch', '--quiet']]) {
    expect(await runHere({ DATABASE_URL: hostile.url }, args), args.join(' ')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'error: the database cannot be reached: \ufffd[2Jno\ufffd\ufffdok       all is well\ufffd\ufffddone\n',
    });
  }
  const { stdout } = await runHere({ DATABASE_URL: hostile.url }, ['doctor']);
  expect(stdout).not.toMatch(/^ok/m);
});

test('an interrupt ends a command whose database does not respond', async () => {
  const { settings, connected } = await aSilentServer();
  const { child, ended } = startCli(settings, ['key', 'list']);
  await connected;
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ status: 130, stdout: '', stderr: 'Interrupted.\n' });
});

test('a new master key needs neither settings nor a database', async () => {
  const made = await runHere({ DATABASE_URL: 'nonsense' }, ['key', 'new-master']);
  expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[\w-]{43}\n$/) });
});

test('a database whose setup is wrong is a fault, reported in one line with the statement that mends it', async () => {
  await using database = await aDatabase();
  const { pathname } = new URL(database.url);
  const role = `guest_${randomBytes(8).toString('hex')}`;
  await execute(
    database.url,
    `create role ${role}; grant ${role} to current_user; alter database ${pathname.slice(1)} set role = ${role}`,
  );
  const refused = await runHere(database.settings, ['migrate']);
  expect(refused).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
  expect(refused.stderr).toContain(`grant usage, create on schema public to ${role};`);
  await execute(database.url, `drop role ${role}`);
});

test('a database that is not in UTF-8 is refused while it is empty, in one line', async () => {
  await using database = await createTestDatabase(undefined, { encoding: 'LATIN1' });
  const refused = await runHere({ DATABASE_URL: database.url }, ['migrate']);
  expect(refused).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
  expect(refused.stderr).toContain('has the encoding LATIN1, not UTF8');
  expect(refused.stderr).toContain('--encoding=UTF8');
});
