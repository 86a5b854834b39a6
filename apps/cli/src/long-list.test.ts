import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anInstallation } from '../testing/people.ts';
import { environment, PROGRAM, runCli } from '../testing/process.ts';

/** Several pages, each larger than the buffer of a pipe. */
const COUNT = 3500;

const { settings, url, drop } = await anInstallation();
afterAll(drop);

beforeAll(async () => {
  const create = ['token', 'create', '--name', 'ERP', '--expires-in', '10d'];
  expect(await runCli(settings, create)).toMatchObject({ status: 0 });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at)
     select gen_random_uuid(), account_id, user_id, subject, kind, name || ' ' || n, format, key_id, scopes, created_at
     from tokens cross join generate_series(2, $1::int) as n`,
    [COUNT],
  );
  await client.end();
});
test('a list of several pages is complete and in order', async () => {
  const { stdout, status } = await runCli(settings, ['token', 'list', '--json']);
  const ids: readonly string[] = JSON.parse(stdout).map((token: { readonly id: string }) => token.id);
  expect([status, ids.length]).toEqual([0, COUNT]);
  expect(ids).toEqual([...new Set(ids)].toSorted());
  const lines = (await runCli(settings, ['token', 'list', '--jsonl'])).stdout.split('\n').slice(0, -1);
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids);
  expect((await runCli(settings, ['token', 'list'])).stdout.split('\n')).toHaveLength(COUNT + 2);
});

test.each(['', '--json', '--jsonl'])(
  'a reader that closes after the beginning gets it, without a message (%s)',
  async (option) => {
    const script = `"$0" "$1" token list ${option} | head -n 3; exit "\${PIPESTATUS[0]}"`;
    const shell = spawn('bash', ['-c', script, process.execPath, PROGRAM], { env: environment(settings) });
    const ended = once(shell, 'exit');
    const [stdout, stderr] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    expect([await ended, stdout.split('\n').length, stderr]).toEqual([[0, null], 4, '']);
  },
);

test('losing the database in the middle is a fault, reported in one line', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'token', 'list', '--jsonl'], {
    env: environment(settings),
  });
  const ended = once(child, 'exit');
  // No reader continues yet, so the program cannot have written more than a part of the first page.
  await once(child.stdout, 'readable');
  await drop();
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([await ended, stderr]).toEqual([[1, null], expect.stringMatching(/^error: [^\n]+\n$/)]);
  expect(stdout.split('\n')).toHaveLength(1001);
});
