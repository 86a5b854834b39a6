import { spawnSync } from 'node:child_process';
import {
  appendFile,
  chmod,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { givenEvents } from '@gatehouse/domain/testing';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createMemoryCli, type MemoryCli } from '../../../testing/memory-cli.ts';
import { aTemporaryFolder } from '../../../testing/temporary-folder.ts';
import { lockFile } from '../../files/file-lock.ts';

describe('an export to a file', () => {
  let cli: MemoryCli;
  let file: string;
  beforeEach(async () => {
    cli = createMemoryCli();
    file = join(await aTemporaryFolder(), 'audit.jsonl');
  });

  const record = (count: number) => givenEvents({ ...cli.store, clock: cli.clock }, count);
  const run = (...args: readonly string[]) => cli.run(['audit', ...args]);
  const positions = async () =>
    (await readFile(file, 'utf8')).split('\n').flatMap((line) => (line && JSON.parse(line).position) || []);

  test('is for its owner only, and is continued', async () => {
    await record(1);
    expect(await run('export', '--to', file)).toMatchObject({ status: 0, stdout: '' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await record(2);
    expect(await run('export', '--to', file)).toMatchObject({ status: 0 });
    expect(await positions()).toEqual([1, 2, 3, 4, 5]);
    expect(await run('verify', file)).toMatchObject({ status: 0, stdout: '' });
  });

  test('loses and repeats nothing after it was cut off anywhere', async () => {
    await record(3);
    await run('export', '--to', file);
    const first = (await stat(file)).size;
    await record(3);
    await run('export', '--to', file);
    const whole = await readFile(file, 'utf8');
    for (const size of [first + 1, first + 200, whole.length - 1]) {
      await truncate(file, size);
      expect(await run('export', '--to', file)).toMatchObject({ status: 0 });
      expect(await readFile(file, 'utf8')).toBe(whole);
    }
  });

  test('is refused while another process writes to the file, and not because of one that has ended', async () => {
    await record(1);
    await writeFile(`${file}.lock.${process.ppid}.theirs`, '');
    const stderr = expect.stringContaining(`Process ${process.ppid} is writing to`);
    expect(await run('export', '--to', file)).toMatchObject({ status: 5, stderr });
    await expect(stat(file)).rejects.toThrow('ENOENT');
    await rm(`${file}.lock.${process.ppid}.theirs`);
    await writeFile(`${file}.lock.${spawnSync(process.execPath, ['--version']).pid}.left`, '');
    expect(await run('export', '--to', file)).toMatchObject({ status: 0 });
    expect(await positions()).toEqual([1, 2, 3]);
    expect(await readdir(dirname(file))).toEqual([basename(file)]);
  });

  test('is not continued in a file of something else, nor of another log', async () => {
    await record(1);
    await writeFile(file, 'a letter\n');
    expect(await run('export', '--to', file)).toMatchObject({ status: 2 });
    expect(await readFile(file, 'utf8')).toBe('a letter\n');

    const other = createMemoryCli();
    const theirs = `${file}.theirs`;
    await other.run(['audit', 'export', '--to', theirs]);
    await record(9);
    await run('export', '--quiet');
    const before = await readFile(theirs, 'utf8');
    const refused = await cli.run(['audit', 'export', '--to', theirs]);
    expect(refused.status).toBe(5);
    expect(await readFile(theirs, 'utf8')).toBe(before);
  });

  test('is continued only if its last seal and the events of that are as they were exported', async () => {
    await record(2);
    await run('export', '--to', file);
    await record(1);
    const whole = await readFile(file, 'utf8');
    const lines = whole.split('\n').slice(0, -1);
    for (const [changed, status] of [
      [lines.with(1, (lines[1] ?? '').replace('tester', 'another')), 5],
      [lines.toSpliced(1, 1), 5],
      [lines.toSpliced(2, 0, lines[1] ?? ''), 5],
      [lines.with(-1, (lines.at(-1) ?? '').replace('"through_id":4', '"through_id":5')), 5],
      [lines.with(-1, (lines.at(-1) ?? '').replace(/\}\}$/, ',"pruned_at":"2026-01-01T00:00:00.000Z"}}')), 5],
      [lines.with(-1, (lines.at(-1) ?? '').replace(/\}\}$/, ',"x":1}}')), 2],
      [[...lines, 'a letter'], 2],
      [[...lines, lines[0] ?? ''], 2],
      [[...lines, '{"position":7,'], 2],
    ] as const) {
      const text = `${changed.join('\n')}\n`;
      await writeFile(file, text);
      const refused = await run('export', '--to', file);
      expect(refused, changed.join('\n')).toMatchObject({ status });
      expect(await readFile(file, 'utf8')).toBe(text);
    }
    await writeFile(file, whole);
    expect(await run('export', '--to', file)).toMatchObject({ status: 0 });
  });

  test('is not continued where another user could have put it, and nothing is changed there', async () => {
    await record(1);
    await run('export', '--to', file);
    await record(1);
    const before = await readFile(file, 'utf8');
    await chmod(file, 0o666);
    expect(await run('export', '--to', file)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Other users can write to'),
    });
    await chmod(file, 0o600);
    await symlink(file, `${file}.link`);
    expect(await run('export', '--to', `${file}.link`)).toMatchObject({ status: 2 });
    vi.spyOn(process, 'geteuid').mockReturnValue((process.geteuid?.() ?? 0) + 1);
    expect(await run('export', '--to', file)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('belongs to another user'),
    });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  test('is not held up by the lock of another user', async () => {
    await record(1);
    await writeFile(`${file}.lock.${process.ppid}.theirs`, '');
    vi.spyOn(process, 'geteuid').mockReturnValue((process.geteuid?.() ?? 0) + 1);
    const lock = await lockFile(file);
    await lock[Symbol.asyncDispose]();
    expect(await readdir(dirname(file))).toEqual([`${basename(file)}.lock.${process.ppid}.theirs`]);
  });

  test('is verified line by line, and what differs is named', async () => {
    await record(2);
    await run('export', '--to', file);
    await appendFile(file, '{"position":99}\n');
    const found = await run('verify', file);
    expect(found).toMatchObject({ status: 6 });
    expect(found.stdout).toBe('Line 6 of the file is not a line of an export.\n');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"index":1', '"index":7'));
    expect((await run('verify', file)).stdout).toContain('Line 2 of the file was changed (position 2).\n');
  });
});
