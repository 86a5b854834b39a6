import { emailKey } from '@gatehouse/domain/users';
import { expect, test } from 'vitest';
import { givenAda } from '../../testing/ada.ts';

const BO = ['--email', 'Bo@acme.example', '--name', 'Bo', '--role', 'member'];
const PASSWORD = 'a heavy press, twice';

test('a user is created with the password from standard input', async () => {
  const { run, acme } = await givenAda();
  const created = await run(['user', 'create', '--account', String(acme.id), ...BO, '--password-stdin'], {
    stdin: `${PASSWORD}\n`,
  });
  expect(created.status).toBe(0);
  expect(created.stdout).toMatch(/^\d+\n$/);
  expect(created.stderr).toBe('Created user Bo@acme.example (member). Its id:\n');
});

test.each([
  ['only one newline at its end is not the password', `${PASSWORD}\n\n`, `${PASSWORD}\n`],
  ['a space at its end is the password', `${PASSWORD} `, `${PASSWORD} `],
  ['a byte order mark is the password', `\ufeff${PASSWORD}`, `\ufeff${PASSWORD}`],
  ['a carriage return is the password', `${PASSWORD}\r\n`, `${PASSWORD}\r`],
])('the password is taken exactly as sent: %s', async (_, stdin, password) => {
  const { run, acme, gatehouse } = await givenAda();
  const passwords: string[] = [];
  const { createUser } = gatehouse;
  Object.assign(gatehouse, {
    createUser: (...args: Parameters<typeof createUser>) => {
      passwords.push(args[1].password);
      return createUser(...args);
    },
  });
  const args = ['user', 'create', '--account', String(acme.id), ...BO, '--password-stdin'];
  expect(await run(args, { stdin })).toMatchObject({ status: 0 });
  expect(passwords).toEqual([password]);
});

test('a password that is not UTF-8 is wrong usage', async () => {
  const { run, acme } = await givenAda();
  const args = ['user', 'create', '--account', String(acme.id), ...BO, '--password-stdin'];
  const refused = await run(args, { stdin: Buffer.from([0xc3, 0x28, ...Buffer.from(PASSWORD)]) });
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toContain('UTF-8');
});

test('a weak password is wrong usage, and not repeated', async () => {
  const { run, acme } = await givenAda();
  const args = ['user', 'create', '--account', String(acme.id), ...BO, '--password-stdin'];
  const refused = await run(args, { stdin: 'swordfish\n' });
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toBe('error: the password must be 12 to 1024 characters long\n');
});

test('without a terminal the password must come from standard input', async () => {
  const { run, acme } = await givenAda();
  const refused = await run(['user', 'create', '--account', String(acme.id), ...BO]);
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('--password-stdin');
});

test('an address in use is a conflict, in any case', async () => {
  const { run, acme } = await givenAda();
  const args = ['user', 'create', '--account', String(acme.id), '--name', 'Ada', '--role', 'admin'];
  const refused = await run([...args, '--email', 'ADA@acme.example', '--password-stdin'], {
    stdin: PASSWORD,
  });
  expect(refused).toMatchObject({ status: 5, stdout: '' });
});

test('an unknown account is not found', async () => {
  const { run, store } = await givenAda();
  const refused = await run(['user', 'create', '--account', '4711', ...BO, '--password-stdin'], {
    stdin: PASSWORD,
  });
  expect(refused).toMatchObject({ status: 3, stdout: '' });
  expect((await run(['user', 'list', '--account', '4711'])).status).toBe(3);
  expect(await store.users.findByEmail(emailKey('bo@acme.example'))).toBeUndefined();
});

test('a list has the users of one account or of all', async () => {
  const { run, acme, ada } = await givenAda();
  expect(JSON.parse((await run(['user', 'list', '--json'])).stdout)).toEqual([
    {
      id: ada.id,
      account_id: acme.id,
      email: 'ada@acme.example',
      name: 'Ada',
      role: 'admin',
      created_at: '2026-01-01T00:00:00.000Z',
      disabled_at: null,
    },
  ]);
  await run(['account', 'create', '--name', 'Bolt']);
  const { stdout } = await run(['user', 'list', '--account', String(ada.id + 1), '--json']);
  expect(stdout).toBe('[]\n');
});
