import type { Page } from 'playwright-core';
import type { Person, World } from '../../index.ts';
import { makeBelievableTokens } from '../../pictures/believable-tokens.ts';
import { copyToken } from '../copy-token.ts';
import { makeToken } from '../form-requests.ts';
import { LONG, type Made, RETURNING, STRICT } from './state.ts';

/** Stores what the states of the pages show. `page` is a page of the admin of Acme. */
export async function makeAll(world: World, page: Page): Promise<Made> {
  const { id } = await makeToken(page, world, LONG);
  const others = Array.from({ length: 60 }, (_, index) => `Warehouse stock export ${index + 1}`);
  await copyToken(world, id, others);
  const idOf = await makeBelievableTokens(world);
  const wide = await addStrict(world);
  const users = await usersOfAcme(world);
  const made = {
    long: id,
    used: idOf('Door badges'),
    wide,
    ...users,
    ...(await serviceAccountsOfAcme(world)),
    ...(await webhooksOfAcme(world)),
  };
  // This is done as an operator, so the activity of Acme has an event of an operator.
  await world.command(['token', 'revoke', idOf('Old wiki'), '--yes', '--as', world.acme.admin.email]);
  await addReturning(world);
  return made;
}

async function usersOfAcme({ command, acme }: World): Promise<Pick<Made, 'admin' | 'member' | 'gone'>> {
  const find = async (email: string) => JSON.parse(await command(['user', 'show', email, '--json']));
  const admin = await find(acme.admin.email);
  const email = 'gone@acme.example';
  const options = [
    '--account',
    `${admin.account_id}`,
    '--email',
    email,
    '--name',
    'Gwen',
    '--role',
    'member',
  ];
  await command(['user', 'create', ...options, '--password-stdin'], 'the phrase of Gwen\n');
  await command(['user', 'disable', email, '--yes']);
  return { admin: admin.id, member: (await find(acme.member.email)).id, gone: (await find(email)).id };
}

async function serviceAccountsOfAcme({ command, acme }: World): Promise<Pick<Made, 'robot' | 'orphan'>> {
  const { email } = acme.admin;
  const { account_id } = JSON.parse(await command(['user', 'show', email, '--json']));
  const account = ['--account', `${account_id}`];
  const make = async (name: string, responsible: string) => {
    const options = ['--name', name, '--role', 'member', '--responsible', responsible, '--json'];
    const made: { id: number } = JSON.parse(
      await command(['service-account', 'create', ...account, ...options]),
    );
    return made.id;
  };
  const cy = 'cy@acme.example';
  const options = [...account, '--email', cy, '--name', 'Cy', '--role', 'admin', '--password-stdin'];
  await command(['user', 'create', ...options], 'the phrase of Cy\n');
  const ids = { robot: await make(LONG, email), orphan: await make('Door scanner', cy) };
  await command(['token', 'create', '--as', email, '--for', `${ids.robot}`, '--name', 'Sync']);
  await command(['user', 'disable', cy, '--yes', '--leave-service-accounts']);
  return ids;
}

/** Makes two webhooks. Nothing is sent to them: the addresses are refused. */
async function webhooksOfAcme({ command, acme }: World): Promise<Pick<Made, 'tried' | 'disabled'>> {
  const as = ['--as', acme.admin.email];
  const make = async (url: string, ...options: readonly string[]): Promise<number> =>
    JSON.parse(await command(['webhook', 'create', url, ...options, '--json', ...as])).id;
  const actions = ['--actions', 'token.created,token.revoked,user.second_factor_reset'];
  const made = {
    tried: await make(`https://name.invalid/${'w'.repeat(300)}`, '--description', LONG, ...actions),
    disabled: await make('https://name.invalid/'),
  };
  await command(['webhook', 'test', `${made.tried}`, ...as]);
  await command(['webhook', 'rotate-secret', `${made.tried}`, ...as]);
  await command(['webhook', 'disable', `${made.disabled}`, ...as]);
  return made;
}

/** Makes an account with an admin, and returns its id. */
async function addAccount({ command }: World, called: string, name: string, { email, password }: Person) {
  const { id } = JSON.parse(await command(['account', 'create', '--name', called, '--json']));
  const options = ['--account', `${id}`, '--email', email, '--name', name, '--role', 'admin'];
  await command(['user', 'create', ...options, '--password-stdin'], `${password}\n`);
  return `${id}`;
}

/** Makes a token, then the rules that it breaks, and returns its id. */
async function addStrict(world: World): Promise<string> {
  const { command } = world;
  const account = await addAccount(world, 'Hooli', 'Kim', STRICT);
  const networks = Array.from({ length: 32 }, (_, index) => ['--network', `2001:db8:${index}:ffff::/64`]);
  const options = ['--name', 'Weighing', '--never-expires', ...networks.flat(), '--report-only', '--json'];
  const { id } = JSON.parse(await command(['token', 'create', '--as', STRICT.email, ...options]));
  const limits = ['--max-lifetime', '30d', '--scope', 'me:read', '--must-have-networks'];
  await command(['account', 'policy', 'set', account, ...limits]);
  await command(['account', 'policy', 'set', '--floor', '--max-lifetime', '730d', '--for', 'service']);
  return id;
}

async function addReturning(world: World): Promise<void> {
  const { command } = world;
  const { email } = RETURNING;
  await addAccount(world, 'Initech', 'Ivy', RETURNING);
  const issued = JSON.parse(await command(['token', 'create', '--as', email, '--name', 'ERP', '--json']));
  await command(['token', 'revoke', issued.id, '--yes', '--as', email]);
}
