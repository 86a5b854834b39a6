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

test.each([
  ['a newline', (token: string) => `${token}\n`],
  ['white space all around', (token: string) => `\r\n\t ${token} \r\n\n`],
  ['the scheme of a header', (token: string) => `Bearer ${token}\n`],
  ['the scheme in lower case', (token: string) => ` bearer   ${token}`],
])('%s that was pasted with it is ignored', async (_, paste) => {
  const { run, secret } = await givenToken();
  expect(await run(['token', 'inspect'], { stdin: paste(secret) })).toMatchObject({ status: 0 });
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

test.each([
  ['15d', 'The token would be accepted.\n'],
  ['14d', 'The token would be accepted. It expires soon, at 2026-01-15T00:00:00Z.\n'],
])('a token that expires in %s is told on standard error, with its expiry', async (expiry, stderr) => {
  const { run, secret } = await givenToken('--expires-in', expiry);
  for (const more of [[], ['--json']])
    expect(await run(['token', 'inspect', ...more], { stdin: secret })).toMatchObject({ status: 0, stderr });
});
