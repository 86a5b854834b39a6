import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { countTests, filesToRepeat } from './test-count.mjs';
import { ROOT } from './workspace.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-count-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const report = (numPassedTests: number, failedFiles: readonly string[]) => {
  const path = join(folder, 'report.json');
  const testResults = failedFiles.map((file) => ({
    name: join(ROOT, file),
    status: 'failed',
    assertionResults: [
      { status: 'passed', fullName: 'holds' },
      { status: 'failed', fullName: 'breaks' },
    ],
  }));
  writeFileSync(path, JSON.stringify({ numPassedTests, numFailedTests: failedFiles.length, testResults }));
  return path;
};
const failure = (file: string) => ({ file, name: 'breaks' });

it('counts what the report says, and names what failed', () => {
  expect(countTests(report(5, []), 0)).toEqual({ passed: 5, failed: 0, failures: [] });
  const failures = ['a.test.ts', 'b.test.ts'].map(failure);
  expect(countTests(report(5, ['a.test.ts', 'b.test.ts']), 1)).toEqual({ passed: 5, failed: 2, failures });
});

it('counts a run that failed without a failed test as one failure', () => {
  expect(countTests(report(5, []), 1)).toEqual({ passed: 5, failed: 1, failures: [] });
  expect(countTests(join(folder, 'missing.json'), 1)).toEqual({ passed: 0, failed: 1, failures: [] });
});

it('names a file that does not load, too, so that nothing is repeated without it', () => {
  const path = report(5, ['apps/a.test.ts']);
  const json = JSON.parse(readFileSync(path, 'utf8'));
  json.testResults.push({ name: join(ROOT, 'apps/b.test.ts'), status: 'failed', assertionResults: [] });
  writeFileSync(path, JSON.stringify(json));
  const tests = countTests(path, 1);
  expect(tests.failures.map(({ file }) => file)).toEqual(['apps/a.test.ts', 'apps/b.test.ts']);
  expect(filesToRepeat(tests)).toEqual([]);
});

it.each([
  [['apps/a.test.ts', 'apps/a.test.ts', 'tooling/b.test.ts'], 3, ['apps/a.test.ts', 'tooling/b.test.ts']],
  [['apps/a.test.ts', 'packages/b.test.ts'], 2, []],
  [['apps/a', 'apps/b', 'apps/c', 'apps/d'], 4, []],
  [['apps/a.test.ts'], 2, []],
  [[], 1, []],
])('of failures in %j, %d in all, repeats %j', (files, failed, repeated) => {
  expect(filesToRepeat({ failed, failures: files.map(failure) })).toEqual(repeated);
});
