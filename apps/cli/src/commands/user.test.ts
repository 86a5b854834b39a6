import { expect, test } from 'vitest';
import { givenAda } from '../../testing/ada.ts';

const BO = ['--email', 'Bo@acme.example', '--name', 'Bo', '--role', 'member'];
const PASSWORD = 'a heavy press, twice';

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
