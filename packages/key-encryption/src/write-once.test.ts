import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeOnce } from './write-once.ts';

const ACCESS = { mode: 0o600 };

async function aPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-write-once-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'file');
}

it('does not change an existing file', async () => {
  const path = await aPath();
  await writeFile(path, '');
  await writeOnce(path, 'second', ACCESS);
  expect(await readFile(path, 'utf8')).toBe('');
});

it('shows concurrent callers the same, complete text', async () => {
  const path = await aPath();
  const texts = Array.from({ length: 50 }, (_, index) => String(index).repeat(1000));
  const writeAndRead = (text: string) => writeOnce(path, text, ACCESS).then(() => readFile(path, 'utf8'));
  const read = await Promise.all(texts.map(writeAndRead));
  expect(new Set(read).size).toBe(1);
  expect(texts).toContain(read[0]);
});
