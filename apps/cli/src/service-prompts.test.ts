import { afterAll, beforeAll, expect, test } from 'vitest';
import { anInstallation } from '../testing/people.ts';
import { runHere } from '../testing/run-here.ts';
import { ENTER, openTerminal } from '../testing/terminal.ts';

const { settings, drop } = await anInstallation();
afterAll(drop);

const done = async (...args: readonly string[]) => {
  const ended = await runHere(settings, args);
  expect(ended, ended.stderr).toMatchObject({ status: 0 });
  return ended.stdout;
};

let credential: string;
beforeAll(async () => {
  await done('service', 'create', 'orders', '--open-to', 'all');
  const words = ['--label', 'Read orders', '--allows', 'List and read all orders.'];
  await done('service', 'scope', 'add', 'orders:read', ...words);
  await done('service', 'scope', 'add', 'orders:write', ...words);
  credential = JSON.parse(await done('service', 'credential', 'create', 'orders', '--json')).id;
});

/** Runs a command at a terminal, and says no to its question. */
async function declined(args: readonly string[], ...shown: readonly string[]) {
  const terminal = openTerminal(settings, args);
  for (const line of shown.slice(0, -1)) await terminal.shows(line);
  await terminal.answer(shown.at(-1) ?? '', `n${ENTER}`);
  expect(await terminal.ended).toBe(130);
}

const orders = async () => JSON.parse(await done('service', 'show', 'orders', '--json'));

test('before a service is deleted, its scopes and its credentials are listed', async () => {
  await declined(
    ['service', 'delete', 'orders'],
    'Tokens with these scopes will be refused by the service orders: orders:read, orders:write.',
    `The credential ${credential} was never used and will be refused.`,
    'the names of the service and its scopes will not be used again. Delete the service?',
  );
  expect(await orders()).toMatchObject({ name: 'orders', deleted_at: null });
});

test('before a scope is removed, the command says what tokens keep', async () => {
  await declined(
    ['service', 'scope', 'remove', 'orders:read'],
    'orders:read: Read orders. List and read all orders.',
    'Tokens keep the name of the scope, but it will grant nothing',
  );
  expect((await orders()).scopes).toMatchObject([{ removed_at: null }, { removed_at: null }]);
});

test('before a credential is revoked, its last use is shown; of one that has ended nothing is asked', async () => {
  const revoke = ['service', 'credential', 'revoke', 'orders', credential];
  await declined(revoke, `The credential ${credential} was never used.`, 'Revoke it?');
  expect((await orders()).credentials).toMatchObject([{ state: 'active' }]);
  await done(...revoke, '--yes');
  const terminal = openTerminal(settings, revoke);
  await terminal.shows('was revoked before; nothing changed.');
  expect(await terminal.ended).toBe(0);
});
