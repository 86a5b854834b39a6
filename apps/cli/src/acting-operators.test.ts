import { ok } from '@gatehouse/domain';
import { givenAccount, givenUser } from '@gatehouse/domain/testing';
import type { Extension } from '@gatehouse/extension-kit';
import { type CommandCaller, defineChange } from '@gatehouse/extension-kit/cli';
import { shiftNotes } from '@gatehouse/shift-notes';
import { expect, test, vi } from 'vitest';
import { AS_ADA, givenAda } from '../testing/ada.ts';
import { createMemoryCli } from '../testing/memory-cli.ts';
import { describedCommands, pathOf } from './reference.ts';

/** Each command that changes something as an admin, in an order in which each succeeds. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  'token create': ['--name', 'ERP'],
  'token update': ['ERP', '--name', 'ERP 2'],
  'token rotate': ['ERP 2', '--now', '--yes'],
  'token revoke': ['ERP 2', '--yes'],
};

test('each command that changes something as an admin is known here', async () => {
  const changes = (await describedCommands([])).filter(({ options }) =>
    ['--as', '--yes'].every((name) => options.some(({ long }) => long === name)),
  );
  const paths = changes.map((command) => pathOf(command).replace(/^gatehouse /, ''));
  expect(paths.toSorted()).toEqual(Object.keys(CHANGES).toSorted());
});

test.each([
  ['--as', AS_ADA, ''],
  ['GATEHOUSE_AS', [], 'ada@acme.example'],
])('with %s, each event names the operator, the machine and the admin', async (_, as, variable) => {
  vi.stubEnv('GATEHOUSE_AS', variable);
  const cli = await givenAda();
  const before = (await cli.store.audit.list({ limit: 99 })).length;
  for (const [path, args] of Object.entries(CHANGES)) {
    const { status, stderr } = await cli.run([...path.split(' '), ...args, ...as]);
    expect([path, status, stderr]).toEqual([path, 0, expect.any(String)]);
  }
  const all = await cli.store.audit.list({ limit: 99 });
  const events = all.slice(0, -before).map(({ event }) => event);
  const actions = events.filter(({ action }) => action.startsWith('token.')).map(({ action }) => action);
  expect(new Set(actions)).toEqual(
    new Set(['token.created', 'token.updated', 'token.rotated', 'token.revoked']),
  );
  const actor = { kind: 'operator', name: 'tester', for: cli.ada.id };
  for (const event of events.filter(({ action }) => action.startsWith('token.')))
    expect(event).toMatchObject({ actor, origin: 'test-machine' });
});

test('what is printed names the operator and the admin, to the account the admin alone', async () => {
  vi.stubEnv('GATEHOUSE_AS', '');
  const cli = await givenAda();
  for (const [path, args] of Object.entries(CHANGES).slice(0, 2))
    await cli.run([...path.split(' '), ...args, ...AS_ADA]);
  await cli.run(['token', 'revoke', 'ERP 2', '--yes', ...AS_ADA]);
  const events = async (...args: readonly string[]) =>
    JSON.parse((await cli.run(['audit', 'list', '--action', 'token.revoked', '--json', ...args])).stdout);
  const acting = { kind: 'operator', for: cli.ada.id, for_email: 'ada@acme.example' };
  expect(await events()).toMatchObject([{ actor: { ...acting, name: 'tester' }, origin: 'test-machine' }]);
  expect((await events(...AS_ADA)).map(({ actor }: { actor: object }) => actor)).toEqual([acting]);
  for (const actor of ['tester', 'ada@acme.example']) expect(await events('--actor', actor)).toHaveLength(1);

  const show = async (...args: readonly string[]) =>
    (await cli.run(['token', 'show', 'ERP 2', ...args])).stdout;
  expect(await show()).toMatch(/revoked by tester \(operator\), for ada@acme\.example on/);
  expect(await show(...AS_ADA)).toMatch(/revoked by an operator, for ada@acme\.example on/);
  expect(await show(...AS_ADA)).not.toContain('tester');
  const { stdout } = await cli.run(['audit', 'list', '--action', 'token.revoked', '--columns', 'who,from']);
  expect(stdout).toMatch(/tester \(operator\), for ada@acme\.example +test-machine/);
});

test('the command of an extension gets a caller who names the operator', async () => {
  vi.stubEnv('GATEHOUSE_AS', '');
  const callers: CommandCaller[] = [];
  const hello = defineChange({
    verb: 'hello',
    summary: 'Say hello',
    as: { description: 'Who says it' },
    examples: ['gatehouse shift-note hello'],
    run: async (_: unknown, caller: CommandCaller) => {
      callers.push(caller);
      return ok(undefined);
    },
    note: () => 'Hello.',
    document: () => ({}),
  });
  const extension: Extension = { ...shiftNotes, cli: async () => ({ commands: [hello] }) };
  const { store, run } = createMemoryCli({ extensions: [extension] });
  const { id } = await givenUser(store, (await givenAccount(store)).id, { email: 'ada@acme.example' });
  expect(await run(['shift-note', 'hello', ...AS_ADA])).toMatchObject({ status: 0 });
  expect(callers).toMatchObject([{ kind: 'user', userId: id, operator: 'tester', origin: 'test-machine' }]);
});
