import { anEvent, aRevocation, givenToken, givenUser } from '@gatehouse/domain/testing';
import { emailKey } from '@gatehouse/domain/users';
import { expect, test } from 'vitest';
import { givenAda } from '../../testing/ada.ts';

const PASSWORD = 'a heavy press, twice';

/** Ada and Bo are admins of Acme. */
async function givenBo() {
  const cli = await givenAda();
  const bo = await givenUser(cli.store, cli.acme.id, { email: 'bo@acme.example' });
  return { ...cli, bo };
}

test('a disabled user is enabled again, without the tokens', async () => {
  const { run, bo, store } = await givenBo();
  await store.users.disable(bo.id, aRevocation(), anEvent());
  const enabled = await run(['user', 'enable', 'BO@acme.example', '--json']);
  expect(enabled).toMatchObject({
    status: 0,
    stderr: 'Enabled bo@acme.example. Tokens that were revoked when the user was disabled stay revoked.\n',
  });
  expect(JSON.parse(enabled.stdout)).toMatchObject({ id: bo.id, disabled_at: null });
  expect(await run(['user', 'enable', 'bo@acme.example'])).toEqual({
    status: 0,
    stdout: '',
    stderr: 'bo@acme.example is not disabled; nothing changed.\n',
  });
  expect((await run(['user', 'enable', 'nobody@acme.example'])).status).toBe(3);
});

test('a role is set, with a message about the user’s tokens', async () => {
  const { run, store, bo } = await givenBo();
  const set = (role: string, ...more: readonly string[]) =>
    run(['user', 'set-role', 'bo@acme.example', '--role', role, ...more]);
  expect(await set('member')).toEqual({
    status: 0,
    stdout: '',
    stderr: "bo@acme.example is now a member: the user's API tokens have a member's rights.\n",
  });
  expect(await set('member', '--json')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('"role": "member"'),
    stderr: 'bo@acme.example already has the role member; nothing changed.\n',
  });
  expect((await run(['user', 'set-role', 'ada@acme.example', '--role', 'member'])).status).toBe(5);
  expect((await set('admin')).stderr).toContain("an admin's rights");
  expect(await store.users.findByEmail(emailKey(bo.email))).toEqual(bo);
  expect((await set('owner')).status).toBe(2);
  expect((await run(['user', 'set-role', 'bo@acme.example'])).status).toBe(2);
  expect((await run(['user', 'set-role', 'nobody@acme.example', '--role', 'admin'])).status).toBe(3);
});

test('a password from standard input is set, and ends sign-ins', async () => {
  const { run, store, bo, gatehouse } = await givenBo();
  await givenToken(store, bo, { kind: 'sign-in' });
  await givenToken(store, bo);
  const passwords: string[] = [];
  const { setPassword } = gatehouse;
  Object.assign(gatehouse, {
    setPassword: (...args: Parameters<typeof setPassword>) => {
      passwords.push(args[1].password);
      return setPassword(...args);
    },
  });
  const before = await store.users.findCredentials(emailKey(bo.email));
  const set = await run(['user', 'set-password', 'BO@acme.example', '--password-stdin'], {
    stdin: `${PASSWORD}\n`,
  });
  expect(set).toEqual({
    status: 0,
    stdout: '',
    stderr: 'Set the password of bo@acme.example, which ended 1 sign-in.\n',
  });
  expect(passwords).toEqual([PASSWORD]);
  const after = await store.users.findCredentials(emailKey(bo.email));
  expect(after?.passwordHash).not.toBe(before?.passwordHash);
});

test('a password that the policy refuses is wrong usage, and not repeated', async () => {
  const { run, store, acme } = await givenBo();
  await givenUser(store, acme.id, { email: 'grace@acme.example' });
  const refused = await run(['user', 'set-password', 'Grace@acme.example', '--password-stdin'], {
    stdin: 'amazing grace, how sweet',
  });
  expect(refused).toEqual({
    status: 2,
    stdout: '',
    stderr: 'error: the password must not contain the name in the email address\n',
  });
});

test('a password is never an argument, and an unknown user is refused before the prompt', async () => {
  const { run } = await givenBo();
  const args = ['user', 'set-password', 'bo@acme.example'];
  expect((await run([...args, '--password', PASSWORD])).status).toBe(2);
  expect((await run([...args, PASSWORD])).status).toBe(2);
  const unasked = await run(args, { stdin: PASSWORD });
  expect(unasked.status).toBe(2);
  expect(unasked.stderr).toContain('--password-stdin');
  expect((await run(['user', 'set-password', 'nobody@acme.example'])).status).toBe(3);
});
