import { expect, test } from 'vitest';
import { givenAda } from '../../testing/ada.ts';

const BO = ['--email', 'Bo@acme.example', '--name', 'Bo', '--role', 'member'];
const PASSWORD = 'a heavy press, twice';

test.each([
  ['one newline at its end is not the password', `${PASSWORD}\n`, PASSWORD],
  ['a line end of Windows is not', `${PASSWORD}\r\n`, PASSWORD],
  ['a carriage return is not', `${PASSWORD}\r`, PASSWORD],
  ['a space at its end is the password', `${PASSWORD} `, `${PASSWORD} `],
  ['a byte order mark is not the password', `\ufeff${PASSWORD}`, PASSWORD],
])('the password is taken as sent: %s', async (_, stdin, password) => {
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

test.each([`${PASSWORD}\n\n`, `${PASSWORD}\r\n\r\n`, `${PASSWORD}\t`])(
  'a password with control characters is refused: %j',
  async (stdin) => {
    const { run, acme } = await givenAda();
    const args = ['user', 'create', '--account', String(acme.id), ...BO, '--password-stdin'];
    const refused = await run(args, { stdin });
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain('it is a control character');
  },
);

test('a password that is not UTF-8 is wrong usage', async () => {
  const { run, acme } = await givenAda();
  const args = ['user', 'create', '--account', String(acme.id), ...BO, '--password-stdin'];
  const refused = await run(args, { stdin: Buffer.from([0xc3, 0x28, ...Buffer.from(PASSWORD)]) });
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toContain('UTF-8');
});
