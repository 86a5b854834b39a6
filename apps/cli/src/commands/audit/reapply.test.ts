import { execFileSync } from 'node:child_process';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { givenEvents } from '@gatehouse/domain/testing';
import type { TokenId } from '@gatehouse/domain/tokens';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createMemoryCli, type MemoryCli } from '../../../testing/memory-cli.ts';
import { aTemporaryFolder } from '../../../testing/temporary-folder.ts';

const ADA = 'ada@acme.example';

describe('after a restore', () => {
  let live: MemoryCli;
  let restored: MemoryCli;
  let token: TokenId;
  let file: string;
  beforeEach(async () => {
    live = createMemoryCli();
    file = join(await aTemporaryFolder(), 'audit.jsonl');
    await live.run(['account', 'create', '--name', 'Acme']);
    const ada = ['--account', '1', '--email', ADA, '--name', 'Ada', '--role', 'admin'];
    await live.run(['user', 'create', ...ada, '--password-stdin'], { stdin: 'a heavy press, twice' });
    const created = await live.run(['token', 'create', '--as', ADA, '--name', 'ERP', '--json']);
    token = JSON.parse(created.stdout).id;
    await live.run(['audit', 'export', '--quiet']);
    restored = createMemoryCli({ store: live.store.backUp() });
    await live.run(['token', 'revoke', token, '--as', ADA, '--reason', 'leaked', '--yes']);
    await live.run(['audit', 'export', '--to', file]);
    await givenEvents({ ...live.store, clock: live.clock }, 1);
    await live.run(['audit', 'export', '--to', file]);
  });

  const reapply = (...args: readonly string[]) => restored.run(['audit', 'reapply', file, ...args]);
  const isRevoked = async () => (await restored.store.tokens.findRecord(token))?.revocation !== null;
  const lines = async () => (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  const write = (changed: readonly string[]) => writeFile(file, changed.map((line) => `${line}\n`).join(''));

  /** The lines, and what they are with the revocation taken out and its seal made another one. */
  async function without(seal: (members: Record<string, unknown>) => object): Promise<readonly string[]> {
    const all = await lines();
    const gone = all.findIndex((line) => line.includes('token.revoked'));
    const changed = seal(JSON.parse(all[gone + 1] ?? '').seal);
    return all.toSpliced(gone, 2, JSON.stringify({ seal: changed }));
  }

  test('a revocation is made again, and it is said where the export ends', async () => {
    const done = await reapply('--yes', '--json');
    expect(done).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('The export ends at position 7, sealed at 2026-01-01T00:00:00.000Z:'),
    });
    expect(JSON.parse(done.stdout)).toMatchObject({
      ends: 7,
      ends_at: '2026-01-01T00:00:00.000Z',
      problems: [],
    });
    expect(await isRevoked()).toBe(true);
  });

  test.each<[string, () => Promise<readonly string[]>]>([
    [
      'its seal says that it was pruned',
      () => without((seal) => ({ ...seal, pruned_at: '2026-01-01T00:00:00.000Z' })),
    ],
    [
      'its seal says so with an invented MAC',
      () => without((seal) => ({ ...seal, pruned_at: '2026-01-01T00:00:00.000Z', pruned_mac: seal.mac })),
    ],
    ['its seal has no events', () => without((seal) => seal)],
    [
      'one invented seal stands in the place of the history',
      async () => {
        const seals = (await lines()).flatMap((line) => JSON.parse(line).seal ?? []);
        const [{ first }, last] = [seals[0], seals.at(-1)];
        return [JSON.stringify({ seal: { ...last, first, previous: '', pruned_at: last.sealed_at } })];
      },
    ],
  ])('nothing is believed of an export without the revocation in which %s', async (_, forge) => {
    await write(await forge());
    expect(await reapply('--yes')).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('Nothing was done.'),
    });
    expect(await isRevoked()).toBe(false);
  });

  test('what an export proves is made again if the rest may be left out, and what is left out is named', async () => {
    const all = await lines();
    await write([...all.slice(0, -2), 'a letter', ...all.slice(-2)]);
    expect(await reapply('--yes')).toMatchObject({ status: 5 });
    expect(await isRevoked()).toBe(false);
    const done = await reapply('--yes', '--partial');
    expect(done).toMatchObject({
      status: 6,
      stderr: expect.stringContaining('Left out: the lines from the previous seal to line '),
    });
    expect(await isRevoked()).toBe(true);
  });

  test('an export that was cut is refused with its last line, which was kept elsewhere', async () => {
    const all = await lines();
    const anchor = `${file}.anchor`;
    await writeFile(anchor, `${all.at(-1)}\n`);
    await write(all.slice(0, -2));
    expect(await reapply('--dry-run', '--anchor', anchor)).toMatchObject({
      status: 5,
      stderr: expect.stringContaining(
        'The export ends at position 6 and does not have the seal in the --anchor file, at position 7',
      ),
    });
    await write(all);
    expect(await reapply('--dry-run', '--anchor', anchor)).toMatchObject({ status: 0 });
    await writeFile(anchor, 'a letter\n');
    expect(await reapply('--dry-run', '--anchor', anchor)).toMatchObject({ status: 2 });
  });

  test('a backup from before the first seal is told what to do in its place', async () => {
    const unsealed = createMemoryCli();
    expect(await unsealed.run(['audit', 'reapply', file, '--yes'])).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('End every token instead'),
    });
  });

  test('a folder and a pipe of another user are no exports, and nothing waits for them', async () => {
    await mkdir(`${file}.folder`);
    const folder = await restored.run(['audit', 'reapply', `${file}.folder`, '--yes']);
    expect(folder).toMatchObject({ status: 2, stderr: expect.stringContaining('is a folder') });
    execFileSync('mkfifo', [`${file}.pipe`]);
    if (process.geteuid?.() === 0) await chown(`${file}.pipe`, 12_346, 12_346);
    vi.spyOn(process, 'geteuid').mockReturnValue(12_345);
    const pipe = await restored.run(['audit', 'verify', `${file}.pipe`]);
    expect(pipe).toMatchObject({ status: 2, stderr: expect.stringContaining('is a pipe of another user') });
  });
});
