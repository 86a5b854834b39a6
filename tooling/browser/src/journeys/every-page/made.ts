import type { Page } from 'playwright-core';
import type { World } from '../../index.ts';
import { makeBelievableTokens } from '../../pictures/believable-tokens.ts';
import { copyToken } from '../copy-token.ts';
import { makeToken } from '../form-requests.ts';
import { LONG, type Made, RETURNING } from './state.ts';

/** Stores what the states of the pages show. `page` is a page of the admin of Acme. */
export async function makeAll(world: World, page: Page): Promise<Made> {
  const { id } = await makeToken(page, world, LONG);
  const others = Array.from({ length: 60 }, (_, index) => `Warehouse stock export ${index + 1}`);
  await copyToken(world, id, others);
  const idOf = await makeBelievableTokens(world);
  const made = { long: id, used: idOf('Door badges'), ...(await usersOfAcme(world)) };
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

async function addReturning({ command }: World): Promise<void> {
  const { email, password } = RETURNING;
  const account = JSON.parse(await command(['account', 'create', '--name', 'Initech', '--json']));
  const options = ['--account', `${account.id}`, '--email', email, '--name', 'Ivy', '--role', 'admin'];
  await command(['user', 'create', ...options, '--password-stdin'], `${password}\n`);
  const issued = JSON.parse(await command(['token', 'create', '--as', email, '--name', 'ERP', '--json']));
  await command(['token', 'revoke', issued.id, '--yes', '--as', email]);
}
