import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { linesOfFile } from './export-file.ts';

const MIB = 2 ** 20;

async function linesOf(content: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-lines-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'audit.jsonl');
  await writeFile(path, content);
  const lines: string[] = [];
  for await (const line of linesOfFile(path)) lines.push(line);
  return lines;
}

test.each([
  ['', []],
  ['\n', ['']],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\n\nb', ['a', '', 'b']],
  ['a\r\nb\rc\u2028d', ['a\r', 'b\rc\u2028d']],
  ['\ufeffa\n', ['\ufeffa']],
])('%j has the lines %j', async (content, lines) => {
  expect(await linesOf(content)).toEqual(lines);
});

test('lines may be longer than what is read at once, and end anywhere in it', async () => {
  const lines = [65_535, 65_536, 0, 1, 200_001, 65_537].map((length, index) => `${index}`.repeat(length));
  expect(await linesOf(lines.join('\n'))).toEqual(lines);
  expect(await linesOf(`${lines.join('\n')}\n`)).toEqual(lines);
});

test('a line that is longer than any of an export is refused, and reading it takes no more than its length', async () => {
  await expect(linesOf(`{"a":"${'x'.repeat(64 * MIB)}"}\n`)).rejects.toThrow(
    'is not an export of the audit log',
  );
});
