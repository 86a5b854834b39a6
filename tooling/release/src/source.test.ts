import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSource } from './source.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-source-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a checkout has a commit, and the files that differ from it', () => {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder });
  git('init', '--quiet');
  writeFileSync(join(folder, 'a.txt'), 'a');
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'a');
  expect(readSource(folder)).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/), changes: [] });
  writeFileSync(join(folder, 'a.txt'), 'b');
  writeFileSync(join(folder, 'new.txt'), '');
  expect(readSource(folder).changes).toEqual([' M a.txt', '?? new.txt']);
});

test('a folder that is no checkout is refused', () => {
  expect(() => readSource(folder)).toThrow('a release is made in a git checkout');
});
