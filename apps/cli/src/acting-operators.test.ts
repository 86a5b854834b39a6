import { ok } from '@gatehouse/domain';
import {
  givenAccount,
  givenMember,
  givenOrganization,
  givenServiceAccount,
  givenUser,
} from '@gatehouse/domain/testing';
import type { Extension } from '@gatehouse/extension-kit';
import { type CommandCaller, defineChange } from '@gatehouse/extension-kit/cli';
import { shiftNotes } from '@gatehouse/shift-notes';
import { describe, expect, test, vi } from 'vitest';
import { AS_ADA, givenAda } from '../testing/ada.ts';
import { callsIn } from '../testing/calls.ts';
import { createMemoryCli } from '../testing/memory-cli.ts';
import { describedCommands, helpOf, pathOf } from './reference.ts';

const commands = await describedCommands([]);

/** The commands that change something as an admin, each with the first of its examples that names the admin. */
const CHANGES = commands
  .filter(({ options }) => ['--as', '--yes'].every((name) => options.some(({ long }) => long === name)))
  .map((command) => {
    const calls = helpOf(command).examples.flatMap(callsIn);
    return [pathOf(command), calls.find((words) => words.includes('--as')) ?? []] as const;
  });

test('the commands that ask and act for an admin are found', () => {
  expect(CHANGES.length).toBeGreaterThan(3);
});

/** The commands that change nothing that the audit log has. */
const WITHOUT_EVENTS: ReadonlySet<string> = new Set(['gatehouse webhook test']);

describe.each(CHANGES)('%s', (command, example) => {
  test.each([
    ['--as', ''],
    ['GATEHOUSE_AS', 'ada@acme.example'],
  ])('with %s, names the operator, the machine and the admin in each event', async (how, variable) => {
    vi.stubEnv('GATEHOUSE_AS', '');
    const cli = await givenAda();
    // The examples name a token, an organization, a service account and users. Another admin owns the token, and is a
    // member.
    await givenUser(cli.store, cli.acme.id, { email: 'bo@acme.example' });
    const eve = await givenUser(cli.store, cli.acme.id, { email: 'eve@acme.example' });
    // The token has networks, and a lifetime that the rules no longer allow.
    const token = ['--name', 'ERP', '--never-expires', '--network', '203.0.113.0/24'];
    await cli.run(['token', 'create', ...token, '--as', 'eve@acme.example']);
    await cli.run(['account', 'policy', 'set', String(cli.acme.id), '--max-lifetime', '365d']);
    const { id } = await givenOrganization(cli.store, cli.acme.id);
    await givenMember(cli.store, id, eve.id);
    const service = await givenServiceAccount(cli.store, cli.ada);
    await cli.run(['webhook', 'create', 'https://hooks.example/1', '--actions', 'token.created', ...AS_ADA]);
    const [webhook] = await cli.store.webhooks.listEnabled([cli.acme.id]);
    const webhookId = String(webhook?.id);
    if (command === 'gatehouse webhook enable') await cli.run(['webhook', 'disable', webhookId, ...AS_ADA]);
    const ids = new Map([
      ['3', webhookId],
      ['42', String(id)],
      ['12', String(service.user.id)],
    ]);
    const before = (await cli.store.audit.list({ limit: 99 })).length;

    vi.stubEnv('GATEHOUSE_AS', variable);
    const named = example.map((word) => ids.get(word) ?? word);
    const at = named.indexOf('--as');
    const { status, stderr } = await cli.run([...(how === '--as' ? named : named.toSpliced(at, 2)), '--yes']);
    expect(status, stderr).toBe(0);
    const events = (await cli.store.audit.list({ limit: 99 })).slice(0, -before);
    expect(events.length > 0).toBe(!WITHOUT_EVENTS.has(command));
    const actor = { kind: 'operator', name: 'tester', for: cli.ada.id };
    for (const { event } of events) expect(event).toMatchObject({ actor, origin: 'test-machine' });
  });
});

test('what is printed names the operator and the admin, to the account the admin alone', async () => {
  vi.stubEnv('GATEHOUSE_AS', '');
  const cli = await givenAda();
  await cli.run(['token', 'create', '--name', 'ERP', ...AS_ADA]);
  await cli.run(['token', 'update', 'ERP', '--name', 'ERP 2', ...AS_ADA]);
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
