import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  countResults,
  filesToRepeat,
  mergeResults,
  readResults,
  type TestResults,
  unstableTests,
} from './test-results.mjs';
import { ROOT } from './workspace.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-results-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const written = (results: TestResults) => {
  const path = join(folder, 'results.json');
  writeFileSync(path, JSON.stringify(results));
  return path;
};
const file = (name: string, failed: readonly string[] = [], passed = 1) => ({ file: name, passed, failed });

it('reads what was written, with the files from the root', () => {
  const files = [file(join(ROOT, 'apps/a.test.ts'), ['breaks']), file(join(ROOT, 'apps/b.test.ts'))];
  const expected = [file('apps/a.test.ts', ['breaks']), file('apps/b.test.ts')];
  expect(readResults(written({ files, otherErrors: 2 }), 1)).toEqual({ files: expected, otherErrors: 2 });
  expect(readResults(written({ files, otherErrors: 0 }), 1)).toEqual({ files: expected, otherErrors: 0 });
  expect(readResults(written({ files: [], otherErrors: 0 }), 0)).toEqual({ files: [], otherErrors: 0 });
});

it('counts a run that failed without a reported failure as one error', () => {
  const path = written({ files: [file(join(ROOT, 'a'))], otherErrors: 0 });
  expect(readResults(path, 1)).toEqual({ files: [file('a')], otherErrors: 1 });
  expect(readResults(join(folder, 'missing.json'), 1)).toEqual({ files: [], otherErrors: 1 });
});

const tenOf = (name: string) => Array.from({ length: 10 }, (_, index) => `${name}${index}.test.ts`);

it.each([
  [['apps/a.test.ts', 'tooling/b.test.ts'], 0, true],
  [['packages/postgres/a.test.ts', 'packages/embedded-postgres/a.test.ts'], 0, true],
  [['apps/a.test.ts', 'packages/domain/b.test.ts'], 0, false],
  [tenOf('apps/'), 0, true],
  [[...tenOf('apps/'), 'apps/b.test.ts'], 0, false],
  [['apps/a.test.ts'], 1, false],
  [[], 1, false],
])('of failures in %j and %d other errors, repeats them: %s', (failing, otherErrors, expected) => {
  const files = [file('apps/passes.test.ts'), ...failing.map((name) => file(name, ['breaks']))];
  expect(filesToRepeat({ files, otherErrors })).toEqual(expected ? failing : []);
});

it('counts the files that ran again as they ended then', () => {
  const first = { files: [file('a', [], 5), file('b', ['breaks', 'the file itself'], 2)], otherErrors: 0 };
  const second = { files: [file('b', ['breaks'], 3)], otherErrors: 0 };
  expect(countResults(first)).toEqual({ passed: 7, failed: 2 });
  expect(countResults(mergeResults(first, second))).toEqual({ passed: 8, failed: 1 });
  expect(unstableTests(first, second)).toEqual([['b', 'the file itself']]);

  const broken = { files: [], otherErrors: 1 };
  expect(countResults(mergeResults(first, broken))).toEqual({ passed: 7, failed: 3 });
  expect(unstableTests(first, broken)).toEqual([]);
});
