import { givenAccount, givenUser } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { AS_ADA, givenAda } from '../../../testing/ada.ts';

async function givenToken(...more: readonly string[]) {
  const cli = await givenAda();
  const created = await cli.run(['token', 'create', ...AS_ADA, '--name', 'ERP', ...more, '--json']);
  const { token: secret, ...document } = JSON.parse(created.stdout);
  return { ...cli, secret: secret as string, document };
}

/** Expects no part of the token's secret. A fake token begins with the name of its key, which is not secret. */
function expectNothingOf(token: string, { stdout, stderr }: { stdout: string; stderr: string }) {
  const secret = token.split('.').slice(2).join('.');
  for (let from = 0; from + 20 <= secret.length; from += 1) {
    expect(stdout + stderr).not.toContain(secret.slice(from, from + 20));
  }
}

test('an accepted token is shown with its steps and its record', async () => {
  const { run, secret, document } = await givenToken();
  const inspected = await run(['token', 'inspect'], { stdin: secret });
  expect(inspected).toMatchObject({ status: 0, stderr: 'The token would be accepted.\n' });
  expect(inspected.stdout).toMatch(/^✓ {2}its signature is valid +passed$/m);
  expect(inspected.stdout).toMatch(/^✓ {2}its account is not suspended +passed$/m);
  expect(inspected.stdout).toMatch(/^ISSUER +gatehouse$/m);
  expect(inspected.stdout).toContain(document.id);
  expect(inspected.stdout).toContain('ada@acme.example');
  expectNothingOf(secret, inspected);
});

test('with --json it is one document with the same record as in token list', async () => {
  const { run, secret, document, ada } = await givenToken('--expires-in', '90d');
  const inspected = await run(['token', 'inspect', '--json'], { stdin: `${secret}\n` });
  const parsed = JSON.parse(inspected.stdout);
  expect(parsed).toEqual({
    accepted: true,
    reason: null,
    stopped_at: null,
    steps: expect.arrayContaining([{ step: 'signature', outcome: 'passed' }]),
    format: 'paseto',
    key_id: expect.stringMatching(/^paseto-/),
    claims: {
      issuer: 'gatehouse',
      audience: 'gatehouse-api',
      subject: ada.id,
      token_id: document.id,
      issued_at: '2026-01-01T00:00:00.000Z',
      expires_at: '2026-04-01T00:00:00.000Z',
      kind: 'api',
    },
    record: document,
  });
  expect(parsed).not.toHaveProperty('token');
  expectNothingOf(secret, inspected);
});

test.each([
  ['a newline', (token: string) => `${token}\n`],
  ['white space all around', (token: string) => `\r\n\t ${token} \r\n\n`],
  ['the scheme of a header', (token: string) => `Bearer ${token}\n`],
  ['the scheme in lower case', (token: string) => ` bearer   ${token}`],
])('%s that was pasted with it is ignored', async (_, paste) => {
  const { run, secret } = await givenToken();
  expect(await run(['token', 'inspect'], { stdin: paste(secret) })).toMatchObject({ status: 0 });
});

test('a refused token is shown with the step that fails, and the status is 6', async () => {
  const { run, secret, document } = await givenToken();
  await run(['token', 'revoke', document.id, ...AS_ADA, '--yes', '--reason', 'leaked']);
  const inspected = await run(['token', 'inspect'], { stdin: secret });
  expect(inspected).toMatchObject({
    status: 6,
    stderr: 'error: The token would be refused (revoked): it was revoked on 2026-01-01T00:00:00Z: leaked.\n',
  });
  expect(inspected.stdout).toMatch(/^✓ {2}its key is not retired +passed$/m);
  expect(inspected.stdout).toMatch(/^✗ {2}it is not revoked +it was revoked on .*: leaked$/m);
  expect(inspected.stdout).toMatch(/^· {2}it is not expired +not reached$/m);

  const { status, stdout } = await run(['token', 'inspect', '--json'], { stdin: secret });
  expect([status, JSON.parse(stdout)]).toMatchObject([
    6,
    { accepted: false, reason: 'revoked', stopped_at: 'not_revoked', record: { state: 'revoked' } },
  ]);
  expectNothingOf(secret, inspected);
});

test.each([
  ['cut off', (token: string) => token.slice(0, -30), 'bad_signature'],
  ['altered', (token: string) => token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), 'bad_signature'],
  ['something else', () => 'x'.repeat(100), 'malformed'],
  ['two tokens', (token: string) => `${token}\n${token}`, 'bad_signature'],
  ['bytes', (token: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(token)]), 'malformed'],
])(
  'what was %s is not accepted, shows nothing of a record, and is not repeated',
  async (_, damage, reason) => {
    const { run, secret } = await givenToken();
    const inspected = await run(['token', 'inspect', '--json'], { stdin: damage(secret) });
    expect(inspected.status).toBe(6);
    expect(JSON.parse(inspected.stdout)).toMatchObject({
      accepted: false,
      reason,
      claims: null,
      record: null,
    });
    expectNothingOf(secret, inspected);
    expect(inspected.stderr).not.toContain('x'.repeat(20));
  },
);

test('an inspection does not count as a use of the token', async () => {
  const { run, secret, document } = await givenToken();
  await run(['token', 'inspect'], { stdin: secret });
  const { stdout } = await run(['token', 'list', '--json']);
  expect(JSON.parse(stdout)).toMatchObject([{ id: document.id, last_used_at: null, last_refused_at: null }]);
});

test('an admin does not find another account’s token', async () => {
  const { run, secret, store } = await givenToken();
  const bolt = await givenAccount(store, 'Bolt');
  await givenUser(store, bolt.id, { email: 'cy@bolt.example' });
  const theirs = await run(['token', 'inspect', '--as', 'cy@bolt.example'], { stdin: secret });
  expect(theirs).toMatchObject({ status: 3, stdout: '' });
  expectNothingOf(secret, theirs);
  expect((await run(['token', 'inspect', ...AS_ADA], { stdin: secret })).status).toBe(0);
});

test('a token as an argument is refused with the reason, and not repeated', async () => {
  const { run, secret, openCount } = await givenToken();
  for (const args of [[secret], [secret, '--json'], ['--', secret], [`--${secret}`], [secret, secret]]) {
    const refused = await run(['token', 'inspect', ...args], { stdin: secret });
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expectNothingOf(secret, refused);
  }
  expect(await run(['token', 'inspect', secret])).toMatchObject({
    stderr: expect.stringContaining('the shell history can see it'),
  });
  expect(openCount()).toBe(0);
});

test.each(['', '\n', ' \r\n ', 'Bearer \n'])(
  'nothing on standard input (%j) is wrong usage',
  async (stdin) => {
    const { run } = await givenToken();
    expect(await run(['token', 'inspect'], { stdin })).toMatchObject({ status: 2, stdout: '' });
  },
);

test('endless input is not read to its end', async () => {
  const { run } = await givenToken();
  const refused = await run(['token', 'inspect'], { stdin: 'x'.repeat(21_000_000) });
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('too long') });
});
