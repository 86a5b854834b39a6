import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { filesToRepeat, readResults, type TestResults } from './test-results.mjs';
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
const failuresIn = (files: readonly string[]) => files.map((file) => ({ file, name: 'breaks' }));

it('reads what was written, with the files from the root', () => {
  const failures = failuresIn([join(ROOT, 'apps/a.test.ts')]);
  const expected = { passed: 5, failures: failuresIn(['apps/a.test.ts']), otherErrors: 2 };
  expect(readResults(written({ passed: 5, failures, otherErrors: 2 }), 1)).toEqual(expected);
  const none = { passed: 5, failures: [], otherErrors: 0 };
  expect(readResults(written(none), 0)).toEqual(none);
});

it('counts a run that failed without a reported failure as one error', () => {
  const path = written({ passed: 5, failures: [], otherErrors: 0 });
  expect(readResults(path, 1)).toEqual({ passed: 5, failures: [], otherErrors: 1 });
  expect(readResults(join(folder, 'missing.json'), 1)).toEqual({ passed: 0, failures: [], otherErrors: 1 });
});

it.each<[string[], number, string[]]>([
  [['apps/a.test.ts', 'apps/a.test.ts', 'tooling/b.test.ts'], 0, ['apps/a.test.ts', 'tooling/b.test.ts']],
  [['apps/a.test.ts', 'packages/b.test.ts'], 0, []],
  [['apps/a', 'apps/b', 'apps/c', 'apps/d'], 0, []],
  [['apps/a.test.ts'], 1, []],
  [[], 1, []],
])('of failures in %j and %d other errors, repeats %j', (files, otherErrors, repeated) => {
  const { files: toRepeat, hint } = filesToRepeat({ passed: 0, failures: failuresIn(files), otherErrors });
  expect(toRepeat).toEqual(repeated);
  // More than a few are named, to be run by hand.
  expect(hint?.split('\n').at(-1)).toBe(files.length > 3 ? `  npm test -- ${files.join(' ')}` : undefined);
});
