import { openTestCommandLine } from '@gatehouse/extension-testing';
import { expect, test } from 'vitest';
import { shiftNotes } from '../index.ts';

async function arrange() {
  const { run, organization, ...others } = await openTestCommandLine(shiftNotes);
  const org = String(organization.id);
  const create = (text: string, ...more: readonly string[]) => run('create', org, '--text', text, ...more);
  return { run, org, create, ...others };
}

/** The cells of a table, which are as wide as the longest of their column. */
const cellsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((cells) => cells.split(/ {2,}/));

test('create prints the id, and list a table', async () => {
  const { run, org, create } = await arrange();
  expect(await create('Press 4 leaks', '--severity', 'warning')).toMatchObject({ status: 0, stdout: '1\n' });
  expect(await create('Oil the hinges', '--due-on', '2027-01-31')).toMatchObject({ stdout: '2\n' });
  const { stdout } = await run('list', org, '--columns', 'id,text,severity,status,due-on');
  expect(cellsOf(stdout)).toEqual([
    ['ID', 'TEXT', 'SEVERITY', 'STATUS', 'DUE ON'],
    ['1', 'Press 4 leaks', 'warning', 'open', '-'],
    ['2', 'Oil the hinges', 'info', 'open', '2027-01-31'],
  ]);
});

test('list says how to create the first one', async () => {
  const { run, org } = await arrange();
  const { status, stderr } = await run('list', org);
  expect(status).toBe(0);
  expect(stderr).toContain('`gatehouse shift-note create`');
});

test('show has the time of closing, too', async () => {
  const { run, org, create } = await arrange();
  await create('Press 4 leaks');
  expect((await run('show', org, '1')).stdout).toMatch(/^CLOSED +-$/m);
  await run('close', org, '1');
  expect((await run('show', org, '1')).stdout).toMatch(/^CLOSED +\d{4}-\d\d-\d\dT/m);
});

test('list and show print JSON, too', async () => {
  const { run, org, create } = await arrange();
  expect(JSON.parse((await create('Press 4 leaks', '--json')).stdout)).toMatchObject({ id: 1 });
  const expected = { id: 1, text: 'Press 4 leaks', severity: 'info', due_on: null, status: 'open' };
  expect(JSON.parse((await run('list', org, '--json')).stdout)).toMatchObject([expected]);
  expect(JSON.parse((await run('show', org, '1', '--json')).stdout)).toMatchObject(expected);
});

test('close says what it did, and changes nothing the second time', async () => {
  const { run, org, create } = await arrange();
  await create('Press 4 leaks');
  await create('Oil the hinges');
  expect(await run('close', org, '1')).toMatchObject({ status: 0, stderr: 'Closed shift note 1.\n' });
  const again = await run('close', org, '1');
  expect(again).toMatchObject({ status: 0, stderr: 'Shift note 1 is already closed; nothing changed.\n' });
  const ids = async (status: string) =>
    cellsOf((await run('list', org, '--status', status, '--columns', 'id')).stdout);
  expect(await ids('closed')).toEqual([['ID'], ['1']]);
  expect(await ids('open')).toEqual([['ID'], ['2']]);
});

test('the Tab key offers the ids of the organization', async () => {
  const { complete, org, create } = await arrange();
  await create('Press 4 leaks');
  await create('Oil the hinges');
  expect(await complete('show', org, '')).toEqual(['1', '2']);
  expect(await complete('close', '999', '')).toEqual([]);
});

test('a command is refused by an exit status: what is not there by 3, what is not valid by 2', async () => {
  const { run, org, create, admin, foreigner } = await arrange();
  await create('Press 4 leaks');
  expect(await run('show', org, '1', '--as', admin.email)).toMatchObject({ status: 0 });
  expect(await run('show', org, '1', '--as', foreigner.email)).toMatchObject({ status: 3 });
  expect(await run('close', org, '9')).toMatchObject({ status: 3 });
  expect(await run('close', org, 'nine')).toMatchObject({ status: 2 });
  expect(await create('Press 4 leaks', '--due-on', 'soon')).toMatchObject({ status: 2 });
});
