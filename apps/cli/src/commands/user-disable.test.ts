import { givenServiceAccount, givenToken, givenUser } from '@gatehouse/domain/testing';
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
    'This revokes 3 live tokens, including the API tokens "ERP", "Wiki"; --transfer-tokens OWNER gives the API tokens to another admin or to a service account.',
  );
  expect(await refused('--transfer-tokens', 'ada@acme.example')).toContain(
    '; the API tokens are transferred to ada@acme.example.',
  );
  for (let count = 0; count < 50; count += 1) await givenToken(store, bo);
  expect(await refused()).toContain('This revokes more than 50 live tokens, including the API tokens');
  expect(await store.users.findByEmail(emailKey(bo.email))).toEqual(bo);
  expect(openCount()).toBe(0);
});

test('--give-token divides the tokens between admins and service accounts', async () => {
  const { ada, bo, disable, store } = await givenBo();
  const robot = await givenServiceAccount(store, ada);
  const [erp, wiki, old] = [
    await givenToken(store, bo),
    await givenToken(store, bo),
    await givenToken(store, bo),
  ];
  const given = ['--give-token', `${erp.id}=${robot.user.id}`, '--give-token', `${wiki.id}=ada@acme.example`];
  const { status, stderr } = await disable(...given, '--yes');
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const find = (id: typeof erp.id) => store.tokens.findRecord(id);
  expect((await find(erp.id))?.userId).toBe(robot.user.id);
  expect((await find(wiki.id))?.userId).toBe(ada.id);
  expect((await find(old.id))?.revocation).not.toBeNull();
});
