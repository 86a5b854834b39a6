import { invalid, ok } from '@gatehouse/domain';
import { givenAccount, givenOrganization, givenUser } from '@gatehouse/domain/testing';
import type { Extension } from '@gatehouse/extension-kit';
import { defineChange, defineItem } from '@gatehouse/extension-kit/cli';
import { shiftNotes } from '@gatehouse/shift-notes';
import { expect, test, vi } from 'vitest';
import { createMemoryCli } from '../testing/memory-cli.ts';
import { REGISTERED } from '../testing/registered.ts';

async function givenNotes() {
  const cli = createMemoryCli({ extensions: REGISTERED });
  const { id } = await givenOrganization(cli.store, (await givenAccount(cli.store)).id);
  const run = (...args: readonly string[]) => cli.run(['shift-note', ...args]);
  return { ...cli, run, runAny: cli.run, org: String(id) };
}

test('an extension’s commands create, list, show and close', async () => {
  const { run, org, openCount } = await givenNotes();
  expect(await run('create', org, '--text', 'Press 4 leaks', '--due-on', '2027-01-31')).toEqual({
    status: 0,
    stdout: '1\n',
    stderr: `Created a shift note for organization ${org}. Its id:\n`,
  });
  const { stdout } = await run('list', org, '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ id: 1, text: 'Press 4 leaks', due_on: '2027-01-31' }]);
  expect((await run('list', org, '--columns', 'id,due-on')).stdout).toBe('ID  DUE ON\n1   2027-01-31\n');
  expect(JSON.parse((await run('show', org, '1', '--json')).stdout)).toMatchObject({ status: 'open' });
  expect((await run('close', org, '1')).stderr).toBe('Closed shift note 1.\n');
  expect((await run('close', org, '1')).stderr).toBe('Shift note 1 is already closed; nothing changed.\n');
  expect((await run('list', org, '--status', 'open', '--jsonl')).stdout).toBe('');
  expect(openCount()).toBe(0);
});

test('control characters that an extension stores are not printed', async () => {
  const { run, org } = await givenNotes();
  const text = 'Press\u001b[2J 4\u202e leaks';
  expect(await run('create', org, '--text', text)).toMatchObject({ status: 0 });
  for (const args of [
    ['list', org],
    ['list', org, '--jsonl'],
    ['show', org, '1'],
    ['show', org, '1', '--json'],
  ]) {
    const { stdout } = await run(...args);
    expect(stdout).toContain('leaks');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  }
});

test('the history of what an extension has is listed by its id', async () => {
  const { run, runAny, org } = await givenNotes();
  for (const text of ['one', 'two']) await run('create', org, '--text', text);
  await run('close', org, '2');
  const listed = await runAny(['audit', 'list', '--shift-note', '2', '--json']);
  const events: readonly object[] = JSON.parse(listed.stdout);
  expect(events).toMatchObject([{ action: 'shift_note.closed' }, { action: 'shift_note.created' }]);
  expect(await runAny(['audit', 'list', '--shift-note', '2', '--org', org])).toMatchObject({ status: 2 });
  const byAction = await runAny(['audit', 'list', '--action', 'shift_note.closed', '--jsonl']);
  expect(byAction.stdout.match(/\n/g)).toHaveLength(1);
});

test('ids of an extension are completed, within the organization that is named before them', async () => {
  const { run, runAny, org, store } = await givenNotes();
  const other = await givenOrganization(store, (await givenAccount(store, 'Works')).id);
  for (const text of ['one\ntwo', 'three']) await run('create', org, '--text', text);
  await run('create', String(other.id), '--text', 'elsewhere');
  const completed = async (...words: readonly string[]) => {
    const { status, stdout, stderr } = await runAny(['__complete', 'fish', '--', 'shift-note', ...words]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout.trimEnd().split('\n').slice(1);
  };
  expect(await completed('show', org, '')).toEqual(['1\tone\ufffdtwo', '2\tthree']);
  expect(await completed('close', org, '2')).toEqual(['2\tthree']);
  expect(await completed('close', String(other.id), '')).toEqual(['3\telsewhere']);
  expect(await completed('close', '99', '')).toEqual([]);
  const works = ['show', '--as', 'eve@works.example'];
  await givenUser(store, other.accountId, { email: 'eve@works.example' });
  expect(await completed(...works, String(other.id), '')).toEqual(['3\telsewhere']);
  expect(await completed(...works, org, '')).toEqual([]);
});

test('of many suggested ids, a hundred that begin with what is typed are offered', async () => {
  const commands = (await shiftNotes.cli?.())?.commands ?? [];
  const ids = Array.from({ length: 150 }, (_, index) => ({ value: String(index), description: '' }));
  const extension: Extension = {
    ...shiftNotes,
    cli: async () => ({ commands, suggestIds: async () => ok(ids) }),
  };
  const { run } = createMemoryCli({ extensions: [extension] });
  const completed = async (prefix: string) =>
    (await run(['__complete', 'fish', '--', 'shift-note', 'show', '1', prefix])).stdout
      .split('\n')
      .slice(1, -1);
  expect(await completed('')).toHaveLength(100);
  expect(await completed('14')).toEqual(
    ['14', ...ids.slice(140, 150).map(({ value }) => value)].map((id) => `${id}\t`),
  );
});

test('its own refusals, and those of the domain, have messages and exit statuses', async () => {
  const { run, org } = await givenNotes();
  expect(await run('close', org, '9')).toEqual({
    status: 3,
    stdout: '',
    stderr: 'error: There is no such shift note.\n',
  });
  expect(await run('list', '9')).toMatchObject({ status: 3, stderr: 'error: Not found.\n' });
  expect(await run('close', org, 'nine')).toMatchObject({ status: 2 });
  expect(await run('create', org, '--text', 'x', '--due-on', '2027-02-30')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'error: "2027-02-30" is not a day such as 2027-01-31.\n',
  });
  expect(await run('list', org, '--as', 'eve@acme.example')).toMatchObject({ status: 4 });
});

test.each([
  ['due_on', '--due-on'],
  ['organization', '<organization>'],
  ['assignee_name', 'the assignee name'],
])('a refused field %s is named as the command names it: %s', async (field, named) => {
  const failing = defineChange({
    verb: 'fail',
    summary: 'Fail',
    arguments: { organization: { description: 'An organization' } },
    options: {
      dueOn: { value: 'day', description: 'A day' },
      assignee: { value: 'name', description: 'A name' },
    },
    examples: ['gatehouse shift-note fail 1'],
    run: async () => invalid(field, 'must not be empty'),
    note: () => '',
    document: () => ({}),
  });
  const extension: Extension = { ...shiftNotes, cli: async () => ({ commands: [failing] }) };
  const { run } = createMemoryCli({ extensions: [extension] });
  expect(await run(['shift-note', 'fail', '1'])).toEqual({
    status: 2,
    stdout: '',
    stderr: `error: ${named} must not be empty\n`,
  });
});

test('only its own command, its help and its completion load an extension’s commands', async () => {
  const cli = vi.fn(async () => ({ commands: [] }));
  const { run } = createMemoryCli({ extensions: [{ ...shiftNotes, cli }] });
  expect((await run(['--help'])).stdout).toContain('shift-note');
  await run(['account', 'create', '--name', 'shift-note']);
  await run(['help', 'account']);
  expect((await run(['__complete', 'fish', '--', 'sh'])).stdout).toContain('shift-note\t');
  await run(['__complete', 'fish', '--', 'account', '']);
  await run(['__complete', 'bash', '--', 'gatehouse token show shift-note', 'shift-note']);
  expect(cli).not.toHaveBeenCalled();
  await run(['help', 'shift-note']);
  expect(cli).toHaveBeenCalledTimes(1);
  await run(['__complete', 'fish', '--', 'shift-note', '']);
  expect(cli).toHaveBeenCalledTimes(2);
  await run(['__complete', 'bash', '--', 'gatehouse "shift-note" cl', 'cl']);
  expect(cli).toHaveBeenCalledTimes(3);
});

test('completion is silent about commands that cannot be loaded', async () => {
  const cli = () => Promise.reject(new Error('no module'));
  const { run } = createMemoryCli({ extensions: [{ ...shiftNotes, cli }] });
  const { status, stderr } = await run(['__complete', 'fish', '--', 'shift-note', '']);
  expect([status, stderr]).toEqual([0, '']);
});

test('a command by hand works with what the command line has', async () => {
  const commands = (await shiftNotes.cli?.())?.commands ?? [];
  const byHand: Extension = {
    ...shiftNotes,
    cli: async () => ({
      commands: [
        ...commands,
        defineItem({
          verb: 'sum',
          summary: 'Add nothing up',
          examples: ['gatehouse shift-note sum'],
          view: { document: (sum: number) => ({ sum }), columns: [] },
          run: async () => ok(7),
        }),
        (resource, { streams, open, unwrap }) =>
          void resource.command('count').action(async () => {
            await using opened = await open();
            streams.stdout.write(`${typeof opened.useCases}\n`);
            unwrap({ ok: false, error: { code: 'shift_note_not_found' } });
          }),
      ],
    }),
  };
  const { run, openCount } = createMemoryCli({ extensions: [byHand] });
  expect(await run(['shift-note', 'count'])).toEqual({
    status: 3,
    stdout: 'object\n',
    stderr: 'error: There is no such shift note.\n',
  });
  expect((await run(['shift-note', 'sum', '--json'])).stdout).toBe('{\n  "sum": 7\n}\n');
  expect(openCount()).toBe(0);
});

test.each([
  ['of the domain', { not_found: { code: 'not_found', status: 404, title: 'Gone.', exit: 'notFound' } }],
] as const)('a refusal with the code %s is refused at the start', async (_, refusals) => {
  const { run } = createMemoryCli({ extensions: [{ ...shiftNotes, refusals }] });
  const { status, stderr } = await run(['account', 'list']);
  expect(status).toBe(1);
  expect(stderr).toContain('Gatehouse and shift-notes have the same refusal: not_found');
});
