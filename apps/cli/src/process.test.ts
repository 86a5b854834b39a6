import { readFile, stat } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { authenticateOn } from '../testing/authenticate.ts';
import { givenPeople, PASSWORD } from '../testing/people.ts';
import { runCli } from '../testing/process.ts';
import { runHere } from '../testing/run-here.ts';
import { aTemporaryFolder } from '../testing/temporary-folder.ts';

const AS_ADA = ['--as', 'Ada@Acme.example'];
const UNKNOWN = '019a0000-0000-7000-8000-000000000000';

/** An error is one line, so that it can be read at a glance and found in a log. */
const ONE_LINE = /^error: [^\n]+\n$/;

const createAda = ['user', 'create', '--account', '1', '--email', 'ada@acme.example', '--name', 'Ada'];

const { settings, ...database } = await aDatabase({ isMigrated: true });
await givenPeople(settings);
afterAll(database.drop);

const authenticate = (token: string) => authenticateOn(database, token);

test.each(['paseto', 'jwt'])('a %s token is created, accepted, revoked and refused', async (format) => {
  const create = ['token', 'create', ...AS_ADA, '--name', format, '--format', format];
  const created = await runCli(settings, create);
  expect(created).toEqual({
    status: 0,
    stdout: expect.stringMatching(format === 'jwt' ? /^eyJ[\w.-]+\n$/ : /^v4\.public\.[\w.-]+\n$/),
    stderr: expect.stringContaining('Created token'),
  });
  const token = created.stdout.trim();
  expect(created.stderr).not.toContain(token);
  const caller = await authenticate(token);
  expect(caller).toMatchObject({ kind: 'user', userId: 1, role: 'admin', scopes: ['*'] });

  const id = caller.kind === 'user' ? caller.token.id : '';
  const revoked = await runHere(settings, ['token', 'revoke', id, ...AS_ADA, '--yes']);
  expect(revoked).toMatchObject({ status: 0, stdout: '' });
  expect(await authenticate(token)).toEqual({ kind: 'refused', reason: 'revoked' });
  const again = await runHere(settings, ['token', 'revoke', id, ...AS_ADA, '--yes']);
  expect(again).toMatchObject({ status: 0, stderr: expect.stringContaining('already') });
});

test('TOKEN_FORMAT and GATEHOUSE_AS are the defaults of the options', async () => {
  const jwt = { ...settings, TOKEN_FORMAT: 'jwt', GATEHOUSE_AS: 'ada@acme.example' };
  const one = await runCli(jwt, ['token', 'create', '--name', 'one', '--json']);
  expect(JSON.parse(one.stdout)).toMatchObject({ format: 'jwt', user: { email: 'ada@acme.example' } });
  const two = await runHere(jwt, ['token', 'create', '--name', 'two', '--json', '--format', 'paseto']);
  expect(JSON.parse(two.stdout)).toMatchObject({ format: 'paseto' });
  const empty = { ...jwt, GATEHOUSE_AS: '', TOKEN_FORMAT: '' };
  expect((await runHere(empty, ['token', 'create', '--name', 'three'])).status).toBe(2);
  expect((await runHere(jwt, ['token', 'create', '--name', 'four', '--as', 'x@y'])).status).toBe(4);
});

test('settings may end in a line end of any system, as files of variables from Windows leave it', async () => {
  const create = ['token', 'create', '--json', '--name'];
  for (const end of ['\r', '\n', '\r\n']) {
    const given = {
      ...settings,
      TOKEN_FORMAT: 'jwt',
      GATEHOUSE_AS: 'ada@acme.example',
      PGSSLMODE: 'disable',
    };
    const ended = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, `${value}${end}`]));
    const created = await runCli(ended, [...create, `ended ${JSON.stringify(end)}`]);
    expect(created).toMatchObject({ status: 0, stderr: expect.not.stringContaining('error') });
    expect(JSON.parse(created.stdout)).toMatchObject({ format: 'jwt', user: { email: 'ada@acme.example' } });
  }
});

test('a token is written to a file that only its owner can read, and is not printed', async () => {
  const path = join(await aTemporaryFolder(), 'erp.token');
  const erp = ['--name', 'ERP', '--expires-in', '90d'];
  const args = ['token', 'create', ...AS_ADA, ...erp, '--json', '--out', path];
  const { stdout, status } = await runCli(settings, args);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).not.toHaveProperty('token');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await authenticate(await readFile(path, 'utf8'))).toMatchObject({ kind: 'user' });
  expect((await runHere(settings, args)).status).toBe(5);
});

test('every refusal has its exit status, one line on standard error, and nothing on standard output', async () => {
  const create = ['token', 'create', '--name', 'refused'];
  const refusals: readonly (readonly [number, readonly string[]])[] = [
    [2, [...create]],
    [2, [...create, ...AS_ADA, '--expires-at', '2001-01-01T00:00:00Z']],
    [2, ['user', 'disable', 'ada@acme.example']],
    [2, ['org', 'update', '1']],
    [3, ['token', 'revoke', UNKNOWN, ...AS_ADA, '--yes']],
    [3, ['org', 'create', '--account', '4711', '--name', 'Press shop']],
    [3, ['user', 'set-password', 'nobody@acme.example', '--password-stdin']],
    [4, ['token', 'list', '--as', 'nobody@acme.example']],
    [5, [...createAda, '--role', 'admin', '--password-stdin']],
    [5, ['user', 'set-role', 'ada@acme.example', '--role', 'member', '--yes']],
  ];
  for (const [index, [status, args]] of refusals.entries()) {
    const run = index === 0 ? runCli : runHere;
    expect(await run(settings, args, { stdin: PASSWORD }), args.join(' ')).toEqual({
      status,
      stdout: '',
      stderr: expect.stringMatching(ONE_LINE),
    });
  }
});

test('only commands that sign need a master key; a wrong one signs nothing', async () => {
  const { GATEHOUSE_MASTER_KEY: _, ...without } = settings;
  const create = ['token', 'create', ...AS_ADA, '--name', 'unsigned'];
  for (const args of [
    ['token', 'list'],
    ['key', 'list'],
    ['org', 'list'],
  ]) {
    expect((await runHere(without, args)).status, args.join(' ')).toBe(0);
  }
  const before = await runHere(settings, ['token', 'list', '--json']);
  for (const [key, status] of [
    ['', 2],
    ['B'.repeat(42), 2],
    // It is a valid master key, and only the database shows that it is the wrong one.
    [`${'B'.repeat(42)}A`, 1],
  ] as const) {
    for (const args of [create, ['key', 'create']]) {
      const refused = await runHere({ ...settings, GATEHOUSE_MASTER_KEY: key }, args);
      expect(refused).toEqual({ status, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
      expect(refused.stderr).toContain('GATEHOUSE_MASTER_KEY');
    }
  }
  expect(await runHere(settings, ['token', 'list', '--json'])).toEqual(before);
});

test('the audit log names the system user and the machine, with a note if it has more events', async () => {
  await runHere(settings, ['org', 'create', '--account', '1', '--name', 'Press shop']);
  const listed = await runCli(settings, ['audit', 'list', '--limit', '1', '--json']);
  expect(listed).toMatchObject({ status: 0, stderr: expect.stringContaining('older events') });
  expect(JSON.parse(listed.stdout)).toMatchObject([
    {
      action: 'organization.created',
      actor: { kind: 'operator', name: userInfo().username },
      origin: hostname(),
      details: { name: 'Press shop' },
    },
  ]);
});
