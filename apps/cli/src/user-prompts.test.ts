import { afterAll, expect, test } from 'vitest';
import { anInstallation, PASSWORD } from '../testing/people.ts';
import { runHere } from '../testing/run-here.ts';
import { CTRL_C, ENTER, openTerminal } from '../testing/terminal.ts';

const OFFER = 'New owner of the API tokens';

const { settings, drop } = await anInstallation();
afterAll(drop);

async function done(args: readonly string[], stdin = ''): Promise<string> {
  const ended = await runHere(settings, args, { stdin });
  expect(ended, ended.stderr).toMatchObject({ status: 0 });
  return ended.stdout;
}

async function createAdmin(name: string): Promise<string> {
  const email = `${name}@acme.example`;
  const user = ['user', 'create', '--account', '1', '--email', email, '--name', name, '--role', 'admin'];
  await done([...user, '--password-stdin'], PASSWORD);
  return email;
}

async function createToken(creator: string, name: string): Promise<string> {
  return JSON.parse(await done(['token', 'create', '--as', creator, '--name', name, '--json'])).id;
}

async function tokenCalled(
  id: string,
): Promise<{ readonly state: string; readonly user: { email: string } }> {
  return JSON.parse(await done(['token', 'show', id, '--json']));
}

async function stateOf(email: string): Promise<string> {
  const users = JSON.parse(await done(['user', 'list', '--json']));
  const user = users.find((each: { readonly email: string }) => each.email === email);
  return user.disabled_at === null ? 'active' : 'disabled';
}

test('disabling a user lists the tokens, and offers to transfer them to another admin', async () => {
  const bo = await createAdmin('bo');
  const id = await createToken(bo, 'ERP');
  await createToken('ada@acme.example', 'ERP');
  const terminal = openTerminal(settings, ['user', 'disable', bo]);
  await terminal.shows('bo@acme.example (bo), admin of account 1.');
  await terminal.shows(`"ERP" (${id}), api, last used never`);
  await terminal.answer(OFFER, `${bo}${ENTER}`);
  await terminal.answer(
    'This is neither another active admin nor a service account',
    `\u0015ada@acme.example${ENTER}`,
  );
  await terminal.shows('The API tokens will be transferred to ada@acme.example');
  await terminal.answer('Disable this user?', `y${ENTER}`);
  await terminal.shows('Transferred 1 token to ada@acme.example.');
  await terminal.shows('Renamed "ERP" to "ERP (2)"');
  expect(await terminal.ended).toBe(0);
  expect(await stateOf(bo)).toBe('disabled');
  expect(await tokenCalled(id)).toMatchObject({ state: 'active', user: { email: 'ada@acme.example' } });
});

test('a role is set only after its effect on the tokens is said and confirmed, in both directions', async () => {
  const kim = await createAdmin('kim');
  await createToken(kim, 'ERP');
  await createToken(kim, 'Wiki');
  const roleOf = async () => {
    const users = JSON.parse(await done(['user', 'list', '--json']));
    return users.find((each: { readonly email: string }) => each.email === kim).role;
  };
  const set = (role: string) => openTerminal(settings, ['user', 'set-role', kim, '--role', role]);

  const refused = set('member');
  await refused.shows('kim@acme.example (kim), admin of account 1.');
  await refused.shows('2 live API tokens of the user may do only what a member may');
  await refused.answer('Set this role?', ENTER);
  await refused.shows('The role was not changed.');
  expect([await refused.ended, await roleOf()]).toEqual([130, 'admin']);

  const same = set('admin');
  await same.shows('already has the role admin; nothing changed.');
  expect([await same.ended, same.shown().includes('?')]).toEqual([0, false]);

  const demoted = set('member');
  await demoted.answer('Set this role?', `y${ENTER}`);
  expect([await demoted.ended, await roleOf()]).toEqual([0, 'member']);
  const promoted = set('admin');
  await promoted.shows('2 live API tokens of the user may do what an admin may');
  await promoted.answer('Set this role?', `y${ENTER}`);
  expect([await promoted.ended, await roleOf()]).toEqual([0, 'admin']);

  const { status, stderr } = await runHere(settings, ['user', 'set-role', kim, '--role', 'member']);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining('There is no terminal to ask for confirmation: add --yes to set the role.'),
  ]);
  expect(await roleOf()).toBe('admin');
});

test('each token and each service account gets its own answer', async () => {
  const ann = await createAdmin('ann');
  const make = ['service-account', 'create', '--account', '1', '--name', 'ERP', '--role', 'member'];
  const account = (await done([...make, '--responsible', ann])).trim();
  const [kept, ended] = [await createToken(ann, 'Kept'), await createToken(ann, 'Ended')];
  const terminal = openTerminal(settings, ['user', 'disable', ann]);
  await terminal.answer(OFFER, `each${ENTER}`);
  await terminal.answer('New owner of "Kept"', `${account}${ENTER}`);
  await terminal.answer('New owner of "Ended"', ENTER);
  await terminal.shows(`"ERP" (${account})`);
  await terminal.answer(`Service account ${account}: email`, `${ann}${ENTER}`);
  await terminal.answer('This is not another active admin of the account', `\u0015ada@acme.example${ENTER}`);
  await terminal.answer('Disable this user?', `y${ENTER}`);
  await terminal.shows('Gave 1 service account another responsible admin.');
  expect(await terminal.ended).toBe(0);
  expect(await tokenCalled(kept)).toMatchObject({
    state: 'active',
    user: { email: `${account}@service.invalid` },
  });
  expect((await tokenCalled(ended)).state).toBe('revoked');
  const shown = JSON.parse(await done(['service-account', 'show', account, '--json']));
  expect(shown.responsible).toMatchObject({ email: 'ada@acme.example', active_admin: true });
});

test('without another admin the tokens are revoked with the user', async () => {
  const cy = await createAdmin('cy');
  const id = await createToken(cy, 'Wiki');
  const terminal = openTerminal(settings, ['user', 'disable', cy]);
  await terminal.answer(OFFER, ENTER);
  await terminal.shows('All of these tokens will be revoked');
  await terminal.answer('Disable this user?', `y${ENTER}`);
  await terminal.shows('Revoked 1 token.');
  expect(await terminal.ended).toBe(0);
  expect((await tokenCalled(id)).state).toBe('revoked');
});

test('without tokens there is no offer, and without a yes nothing changes', async () => {
  const dee = await createAdmin('dee');
  const declined = openTerminal(settings, ['user', 'disable', dee]);
  await declined.shows('The user has no live tokens.');
  await declined.answer('Disable this user?', `n${ENTER}`);
  expect(await declined.ended).toBe(130);
  expect(declined.shown()).not.toContain(OFFER);

  await createToken(dee, 'CRM');
  const interrupted = openTerminal(settings, ['user', 'disable', dee]);
  await interrupted.answer(OFFER, CTRL_C);
  expect(await interrupted.ended).toBe(130);
  expect(await stateOf(dee)).toBe('active');
});

test('a new password is asked for twice, but not for an unknown user', async () => {
  const eve = await createAdmin('eve.miller');
  const terminal = openTerminal(settings, ['user', 'set-password', eve]);
  await terminal.answer('Password (at least 12 characters):', `eve.miller and more${ENTER}`);
  await terminal.answer(
    'must not contain the name in the email address',
    `\u0015two heavier presses${ENTER}`,
  );
  await terminal.answer('Repeat the password:', `two heavier presses${ENTER}`);
  await terminal.shows('Set the password of eve.miller@acme.example');
  expect(await terminal.ended).toBe(0);
  expect(terminal.shown()).not.toContain('heavier');

  const unknown = openTerminal(settings, ['user', 'set-password', 'nobody@acme.example']);
  expect(await unknown.ended).toBe(3);
  expect(unknown.shown()).not.toContain('Password');
});

test('a suspension prints what it would block, and asks', async () => {
  await done(['account', 'create', '--name', 'Bolt']);
  const declined = openTerminal(settings, ['account', 'suspend', '2']);
  await declined.shows('has 0 active users and 0 active API tokens.');
  await declined.answer('Suspend the account?', ENTER);
  expect(await declined.ended).toBe(130);
  const terminal = openTerminal(settings, ['account', 'suspend', '2']);
  await terminal.answer('Suspend the account?', `y${ENTER}`);
  await terminal.shows('Suspended account');
  expect(await terminal.ended).toBe(0);
});

test('deleting an organization prints the number of its members, and asks', async () => {
  const id = (await done(['org', 'create', '--account', '1', '--name', 'Press shop'])).trim();
  await done(['org', 'add-member', id, 'ada@acme.example']);
  const declined = openTerminal(settings, ['org', 'delete', id]);
  await declined.shows('has 1 member');
  await declined.answer('Delete the', CTRL_C);
  expect(await declined.ended).toBe(130);
  const terminal = openTerminal(settings, ['org', 'delete', id]);
  await terminal.answer('Delete the', `y${ENTER}`);
  await terminal.shows('Deleted organization');
  expect(await terminal.ended).toBe(0);
  expect(await done(['org', 'list', '--json'])).toBe('[]\n');
});
