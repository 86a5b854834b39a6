import { givenToken, givenUser, START } from '@gatehouse/domain/testing';
import { emailKey } from '@gatehouse/domain/users';
import { expect, test } from 'vitest';
import { givenAda } from '../../testing/ada.ts';

/** Ada and Bo are admins of Acme. */
async function givenBo() {
  const cli = await givenAda();
  const bo = await givenUser(cli.store, cli.acme.id, { email: 'bo@acme.example' });
  const disable = (...more: readonly string[]) => cli.run(['user', 'disable', 'bo@acme.example', ...more]);
  return { ...cli, bo, disable };
}

test('a user is disabled with the tokens; the document is the user', async () => {
  const { bo, acme, disable, store } = await givenBo();
  const token = await givenToken(store, bo);
  await givenToken(store, bo, { kind: 'sign-in' });
  const disabled = await disable('--yes', '--reason', 'left', '--json');
  expect(disabled).toMatchObject({
    status: 0,
    stderr: 'Disabled bo@acme.example. Revoked 2 tokens.\n',
  });
  expect(JSON.parse(disabled.stdout)).toEqual({
    id: bo.id,
    account_id: acme.id,
    email: 'bo@acme.example',
    name: 'Ada',
    role: 'admin',
    created_at: '2026-01-01T00:00:00.000Z',
    disabled_at: '2026-01-01T00:00:00.000Z',
  });
  expect((await store.tokens.findRecord(token.id))?.revocation).toMatchObject({
    at: START,
    by: { kind: 'operator', name: 'tester' },
    reason: 'the user was disabled: left',
  });
  expect(await disable('--yes')).toEqual({
    status: 0,
    stdout: '',
    stderr: 'bo@acme.example was already disabled at 2026-01-01T00:00:00Z.\n',
  });
});

test('API tokens are transferred to the given admin', async () => {
  const { ada, bo, disable, store } = await givenBo();
  const token = await givenToken(store, bo);
  const disabled = await disable('--yes', '--transfer-tokens', 'ADA@acme.example');
  expect(disabled).toEqual({
    status: 0,
    stdout: '',
    stderr: 'Disabled bo@acme.example. Transferred 1 token to ADA@acme.example. Revoked 0 tokens.\n',
  });
  expect((await store.tokens.findRecord(token.id))?.user.id).toBe(ada.id);
});

test('without a terminal it needs --yes, and prints what would end', async () => {
  const { bo, disable, store, openCount } = await givenBo();
  const refused = async (...more: readonly string[]) => {
    const { status, stdout, stderr } = await disable(...more);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    return stderr;
  };
  expect(await refused()).toBe(
    'error: There is no terminal to ask for confirmation: add --yes to disable bo@acme.example. The user has no live tokens.\n',
  );
  await givenToken(store, bo, { kind: 'sign-in' });
  expect(await refused()).toContain('This revokes 1 live token.');
  await givenToken(store, bo, { name: 'ERP' });
  await givenToken(store, bo, { name: 'Wiki' });
  expect(await refused()).toContain(
    'This revokes 3 live tokens, including the API tokens "ERP", "Wiki"; --transfer-tokens EMAIL gives the API tokens to another admin.',
  );
  expect(await refused('--transfer-tokens', 'ada@acme.example')).toContain(
    '; the API tokens go to ada@acme.example.',
  );
  for (let count = 0; count < 50; count += 1) await givenToken(store, bo);
  expect(await refused()).toContain('This revokes more than 50 live tokens, including the API tokens');
  expect(await store.users.findByEmail(emailKey(bo.email))).toEqual(bo);
  expect(openCount()).toBe(0);
});

test('a transfer that is not possible is refused, and nothing is changed', async () => {
  const { ada, bo, disable, store } = await givenBo();
  await givenToken(store, bo, { name: 'ERP' });
  await givenToken(store, ada, { name: 'ERP' });
  const refused = (email: string) => disable('--yes', '--transfer-tokens', email);
  expect(await refused('ada@acme.example')).toMatchObject({
    status: 5,
    stderr: expect.stringContaining('"ERP"'),
  });
  for (const unfit of ['bo@acme.example', 'nobody@acme.example']) {
    expect(await refused(unfit)).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('another active admin of the same account'),
    });
  }
  expect((await disable('--yes', '--transfer-tokens', '')).status).toBe(2);
  expect(await store.users.findByEmail(emailKey(bo.email))).toEqual(bo);
});

test('an unknown user is not found, and the last active admin cannot be disabled', async () => {
  const { run, disable } = await givenBo();
  expect((await run(['user', 'disable', 'nobody@acme.example'])).status).toBe(3);
  expect((await run(['user', 'disable', 'nobody@acme.example', '--yes'])).status).toBe(3);
  await disable('--yes');
  expect(await run(['user', 'disable', 'ada@acme.example', '--yes'])).toEqual({
    status: 5,
    stdout: '',
    stderr: 'error: This is the last active admin of the account.\n',
  });
});
