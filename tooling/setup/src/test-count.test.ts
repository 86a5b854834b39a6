import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { countTests } from './test-count.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-count-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const report = (numPassedTests: number, numFailedTests: number) => {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify({ numPassedTests, numFailedTests }));
  return path;
};

it('counts what the report says', () => {
  expect(countTests(report(5, 0), 0)).toEqual({ passed: 5, failed: 0 });
  expect(countTests(report(5, 2), 1)).toEqual({ passed: 5, failed: 2 });
});

it('counts a run that failed without a failed test as one failure', () => {
  expect(countTests(report(5, 0), 1)).toEqual({ passed: 5, failed: 1 });
  expect(countTests(join(folder, 'missing.json'), 1)).toEqual({ passed: 0, failed: 1 });
});
