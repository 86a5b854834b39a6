import type { AccountId } from '@gatehouse/domain/accounts';
import type { AuditEvent } from '@gatehouse/domain/audit';
import { anEvent, givenAccount, givenUser, START } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { expect, test, vi } from 'vitest';
import { givenAda } from '../../testing/ada.ts';
import { createMemoryCli, type MemoryCli } from '../../testing/memory-cli.ts';

const TOKEN = '019a0000-0000-7000-8000-000000000001' as TokenId;

async function record({ store }: MemoryCli, ...events: readonly Partial<AuditEvent>[]): Promise<void> {
  for (const parts of events) {
    await store.accounts.insert({ name: 'Another', createdAt: START }, () => anEvent(parts));
  }
}

async function givenRevocation() {
  const cli = await givenAda();
  await record(cli, {
    actor: { kind: 'user', id: cli.ada.id },
    origin: 'laptop',
    action: 'token.revoked',
    subject: { type: 'token', id: TOKEN },
    accountId: cli.acme.id,
    details: { name: 'Press shop', reason: null, scopes: ['me:read', 'orgs:read'], count: 3 },
  });
  return cli;
}

test('an event is one line with its actor, action, time, subject and origin', async () => {
  const { run } = await givenRevocation();
  const { status, stdout, stderr } = await run(['audit', 'list', '--token', TOKEN]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['TIME', 'WHO', 'FROM', 'ACTION', 'SUBJECT', 'DETAILS'],
    [
      '2026-01-01T00:00:00Z',
      'ada@acme.example',
      'laptop',
      'token.revoked',
      `token ${TOKEN}`,
      'name="Press shop" reason=null scopes=me:read,orgs:read count=3',
    ],
    [''],
  ]);
});

test('a program reads it as a document or as one object per line', async () => {
  const { run, ada, acme } = await givenRevocation();
  const event = {
    id: expect.any(Number),
    at: '2026-01-01T00:00:00.000Z',
    actor: { kind: 'user', id: ada.id, email: 'ada@acme.example' },
    origin: 'laptop',
    action: 'token.revoked',
    subject: { type: 'token', id: TOKEN },
    account_id: acme.id,
    details: { name: 'Press shop', reason: null, scopes: ['me:read', 'orgs:read'], count: 3 },
  };
  const args = ['audit', 'list', '--action', 'token.revoked'];
  expect(JSON.parse((await run([...args, '--json'])).stdout)).toEqual([event]);
  const lines = (await run([...args, '--jsonl'])).stdout.split('\n');
  expect(lines).toEqual([expect.any(String), '']);
  expect(JSON.parse(lines[0] ?? '')).toEqual(event);
});

test('operators and unknown users are distinguished from known users', async () => {
  const cli = createMemoryCli();
  const actors = [
    { kind: 'operator', name: 'ada@acme.example' },
    { kind: 'user', id: 77 as UserId },
    { kind: 'token', id: TOKEN },
  ] as const;
  await record(cli, ...actors.map((actor) => ({ actor })));
  const { stdout } = await cli.run(['audit', 'list']);
  expect(stdout).toContain('ada@acme.example (operator)');
  expect(stdout).toContain('user 77');
  expect(stdout).toContain(`token ${TOKEN}`);
  const documents = JSON.parse((await cli.run(['audit', 'list', '--json'])).stdout);
  expect(documents.map(({ actor }: { actor: object }) => actor)).toEqual([
    { kind: 'token', id: TOKEN },
    { kind: 'user', id: 77, email: null },
    { kind: 'operator', name: 'ada@acme.example' },
  ]);
});

test('an event is one line without control characters, whatever its names contain', async () => {
  vi.stubEnv('NO_COLOR', '1');
  const cli = createMemoryCli();
  const ugly = 'red \u001b[31m\nand = more\u202e "quoted"';
  await record(cli, { details: { name: ugly }, origin: ugly, actor: { kind: 'operator', name: ugly } });
  const { stdout } = await cli.run(['audit', 'list'], { columns: 80 });
  expect(stdout.split('\n').at(-1)).toBe('');
  expect(stdout).not.toContain('\u001b');
  expect(stdout).not.toContain('\u202e');
});

test('every filter reaches the log', async () => {
  const cli = await givenAda();
  const other = await givenAccount(cli.store);
  const eve = await givenUser(cli.store, other.id, { email: 'eve@other.example' });
  const origins = async (...args: readonly string[]) => {
    const { status, stdout } = await cli.run(['audit', 'list', ...args, '--json']);
    expect(status).toBe(0);
    return JSON.parse(stdout)
      .map(({ origin }: { origin: string }) => origin)
      .filter((origin: string) => origin !== 'test');
  };
  await record(
    cli,
    { origin: 'account', accountId: other.id, at: addMilliseconds(START, -90_000_000) },
    { origin: 'actor', actor: { kind: 'user', id: eve.id }, at: addMilliseconds(START, -3000) },
    { origin: 'operator', actor: { kind: 'operator', name: 'root' } },
    { origin: 'action', action: 'key.retired' },
    { origin: 'token', subject: { type: 'token', id: TOKEN } },
    { origin: 'user', subject: { type: 'user', id: String(eve.id) } },
    { origin: 'org', subject: { type: 'organization', id: '42' } },
    { origin: 'key', subject: { type: 'key', id: 'k4.pid.abc' } },
  );
  expect(await origins('--account', String(other.id))).toEqual(['account']);
  expect(await origins('--actor', 'EVE@other.example')).toEqual(['actor']);
  expect(await origins('--actor', 'root')).toEqual(['operator']);
  expect(await origins('--action', 'key.retired')).toEqual(['action']);
  expect(await origins('--token', TOKEN)).toEqual(['token']);
  expect(await origins('--user', 'Eve@other.example')).toEqual(['user']);
  expect(await origins('--org', '42')).toEqual(['org']);
  expect(await origins('--key', 'k4.pid.abc')).toEqual(['key']);
  expect(await origins('--until', '2025-12-31T00:00:00Z')).toEqual(['account']);
  expect(await origins('--since', '1d', '--until', '1s')).toEqual(['actor']);
  expect(await origins('--since', '14000000w', '--until', '1d')).toEqual(['account']);
  expect(await origins('--actor', 'root', '--action', 'key.retired')).toEqual([]);
});

test('the newest events are shown, with a note if there are older ones', async () => {
  const cli = createMemoryCli();
  await record(cli, ...['1', '2', '3'].map((origin) => ({ origin })));
  const list = async (...args: readonly string[]) => {
    const { stdout, stderr } = await cli.run(['audit', 'list', '--jsonl', ...args]);
    return { origins: stdout.match(/(?<="origin":")\d/g), stderr };
  };
  const older = 'There are older events: raise --limit, or use --until.\n';
  expect(await list('--limit', '2')).toEqual({ origins: ['3', '2'], stderr: older });
  expect(await list('--limit', '3')).toEqual({ origins: ['3', '2', '1'], stderr: '' });
  expect(await list('--limit', '2', '--quiet')).toMatchObject({ stderr: '' });
  expect(await list('--actor', 'unknown')).toEqual({ origins: null, stderr: '' });
});

test('a hundred events are shown by default', async () => {
  const cli = createMemoryCli();
  await record(cli, ...Array.from({ length: 1234 }, () => ({})));
  const count = async (...args: readonly string[]) =>
    JSON.parse((await cli.run(['audit', 'list', '--json', ...args])).stdout).length;
  expect(await count()).toBe(100);
  expect(await count('--limit', '1000')).toBe(1000);
  expect(await count('--limit', '1001')).toBe(1001);
  expect(await count('--limit', '9007199254740991')).toBe(1234);
});

test.each([
  [['--action', 'token.eaten'], /token\.eaten.*account\.created.*key\.retired/s],
  [['--since', '90x'], /"90x" is not how long ago, such as 2d, or a time/],
  [['--until', '2026-02-30T00:00:00Z'], /"2026-02-30T00:00:00Z" is not how long ago/],
  [['--limit', '0'], /"0" is not a whole number from 1/],
  [['--limit', '1e3'], /"1e3" is not a whole number from 1/],
  [['--account', 'acme'], /"acme" is not an account's id/],
  [['--actor', ''], /"" is not a name/],
  [['--token', TOKEN, '--user', 'ada@acme.example'], /cannot be used with/],
  [['--org', '1', '--key', 'k'], /cannot be used with/],
  [['--user', 'ada@acme.example', '--org', '1'], /cannot be used with/],
])('%j is wrong usage', async (args, said) => {
  const { run, openCount } = createMemoryCli();
  const { status, stdout, stderr } = await run(['audit', 'list', ...args]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(said);
  expect(openCount()).toBe(0);
});

test('an unknown actor or subject is reported', async () => {
  const { run } = createMemoryCli();
  expect(await run(['audit', 'list', '--user', 'nobody@acme.example'])).toMatchObject({ status: 3 });
  expect(await run(['audit', 'list', '--account', String(999 as AccountId)])).toMatchObject({ status: 3 });
});
