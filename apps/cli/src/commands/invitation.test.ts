import { expect, test } from 'vitest';
import { createMemoryCli } from '../../testing/memory-cli.ts';

const INVITE = ['user', 'invite', '--account', '1', '--email', 'bo@acme.example', '--role', 'admin'];

async function givenAcme() {
  const cli = createMemoryCli();
  await cli.run(['account', 'create', '--name', 'Acme']);
  return cli;
}

test('an operator invites an admin, and the code is only on standard output', async () => {
  const { run } = await givenAcme();
  const { status, stdout, stderr } = await run(INVITE);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^ghi_[\w-]{43}\n$/);
  expect(stderr).toContain('Invited bo@acme.example (admin) until');
  expect(stderr).not.toContain('ghi_');
});

test('open invitations are listed, and a revoked one is not', async () => {
  const { run } = await givenAcme();
  await run(INVITE);
  const { stdout } = await run(['invitation', 'list', '--json']);
  const [{ id, ...listed }] = JSON.parse(stdout);
  expect(listed).toMatchObject({ email: 'bo@acme.example', role: 'admin', invited_by: null });
  expect(await run(['invitation', 'revoke', id])).toMatchObject({ status: 0 });
  expect(await run(['invitation', 'revoke', id])).toMatchObject({ status: 3 });
});

test('a code for a new password is only on standard output, and an unknown user gets none', async () => {
  const { run, store } = await givenAcme();
  const password = { stdin: 'correct horse battery\n' };
  await run(
    [
      'user',
      'create',
      '--account',
      '1',
      '--email',
      'ada@acme.example',
      '--name',
      'Ada',
      '--role',
      'admin',
      '--password-stdin',
    ],
    password,
  );
  expect(await store.users.findByEmail('ada@acme.example')).toBeDefined();
  const { stdout, stderr } = await run(['user', 'reset-link', 'ada@acme.example']);
  expect(stdout).toMatch(/^ghl_[\w-]{43}\n$/);
  expect(stderr).not.toContain('ghl_');
  expect(await run(['user', 'reset-link', 'bo@acme.example'])).toMatchObject({ status: 3, stdout: '' });
});
