import { expect, test } from 'vitest';
import { createMemoryCli } from '../../testing/memory-cli.ts';

test('creating an account prints its id on standard output, and a sentence on standard error', async () => {
  const { run } = createMemoryCli();
  const created = await run(['account', 'create', '--name', 'Acme']);
  expect(created).toEqual({ status: 0, stdout: '1\n', stderr: 'Created account "Acme". Its id:\n' });
});

test('with --json it is one document', async () => {
  const { run } = createMemoryCli();
  const { stdout } = await run(['account', 'create', '--name', 'Acme', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    id: 1,
    name: 'Acme',
    created_at: '2026-01-01T00:00:00.000Z',
    suspended_at: null,
  });
});

test('the audit log names the user and machine of the command', async () => {
  const { run, store } = createMemoryCli();
  await run(['account', 'create', '--name', 'Acme']);
  expect(await store.audit.list({ limit: 9 })).toMatchObject([
    {
      event: {
        action: 'account.created',
        actor: { kind: 'operator', name: 'tester' },
        origin: 'test-machine',
      },
    },
  ]);
});

test('a name that the domain refuses is wrong usage, and the message names the option', async () => {
  const { run } = createMemoryCli();
  const refused = await run(['account', 'create', '--name', ' Acme']);
  expect(refused).toEqual({
    status: 2,
    stdout: '',
    stderr: 'error: --name must not begin or end with a space\n',
  });
});

test('a list is a table, an array, or one object per line', async () => {
  const { run } = createMemoryCli();
  await run(['account', 'create', '--name', 'Acme']);
  await run(['account', 'create', '--name', 'Bolt & Co']);
  expect((await run(['account', 'list'])).stdout).toBe(
    [
      'ID  NAME       STATE   CREATED',
      '1   Acme       active  2026-01-01T00:00:00Z',
      '2   Bolt & Co  active  2026-01-01T00:00:00Z',
      '',
    ].join('\n'),
  );
  const asArray = JSON.parse((await run(['account', 'list', '--json'])).stdout);
  const asLines = (await run(['account', 'list', '--jsonl'])).stdout.trimEnd().split('\n');
  expect(asArray).toMatchObject([{ id: 1 }, { id: 2, name: 'Bolt & Co' }]);
  expect(asLines.map((line) => JSON.parse(line))).toEqual(asArray);
});

test('an empty list is an empty array or no line', async () => {
  const { run } = createMemoryCli();
  expect((await run(['account', 'list', '--json'])).stdout).toBe('[]\n');
  expect((await run(['account', 'list', '--jsonl'])).stdout).toBe('');
});

test('--quiet leaves only the output for programs', async () => {
  const { run } = createMemoryCli();
  expect(await run(['account', 'create', '--name', 'Acme', '--quiet'])).toEqual({
    status: 0,
    stdout: '1\n',
    stderr: '',
  });
});

test('everything that was opened is closed, also after a refusal', async () => {
  const { run, openCount } = createMemoryCli();
  await run(['account', 'create', '--name', 'Acme']);
  await run(['account', 'create', '--name', '']);
  expect(openCount()).toBe(0);
});
