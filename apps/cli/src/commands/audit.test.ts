import type { AuditEvent } from '@gatehouse/domain/audit';
import { anEvent, START } from '@gatehouse/domain/testing';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { expect, test, vi } from 'vitest';
import { createMemoryCli, type MemoryCli } from '../../testing/memory-cli.ts';

const TOKEN = '019a0000-0000-7000-8000-000000000001' as TokenId;

async function record({ store }: MemoryCli, ...events: readonly Partial<AuditEvent>[]): Promise<void> {
  for (const parts of events) {
    await store.accounts.insert({ name: 'Another', createdAt: START }, () => anEvent(parts));
  }
}

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

test('an export has each name as it is, and no character that controls the terminal on which it is shown', async () => {
  const cli = createMemoryCli();
  const ugly = 'red \u009b31m\u202e\u007f';
  await record(cli, { details: { name: ugly } });
  const { stdout: shown } = await cli.run(['audit', 'export'], { columns: 80 });
  const { stdout: piped } = await cli.run(['audit', 'export']);
  expect(shown).not.toMatch(/[\u007f-\u009f\u202e]/);
  expect(piped).toContain(ugly);
  expect(JSON.parse(shown.split('\n')[0] ?? '')).toEqual(JSON.parse(piped.split('\n')[0] ?? ''));
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
