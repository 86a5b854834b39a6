import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './workspace.mjs';

/** Tests of these start whole programs, which a busy machine can delay past any limit. */
const OF_PROGRAMS = /^(apps|tooling)\//;

/** More failed files than these are not due to a busy machine. */
const MAX_REPEATED_FILES = 3;

/**
 * Counts the tests in a report that vitest wrote as JSON. A run that failed without a failed test (a file that
 * does not load, an error outside of any test, no report at all) counts as one failure.
 * @param {string} path
 * @param {number} status vitest's exit status
 * @returns {{ passed: number, failed: number, failures: readonly { file: string, name: string }[] }}
 */
export function countTests(path, status) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(path, 'utf8'));
    /** @type {readonly { name: string, status: string, assertionResults: readonly { status: string, fullName: string }[] }[]} */
    const files = testResults;
    const failures = files.flatMap(({ name, status, assertionResults }) => {
      const file = relative(ROOT, name);
      const tests = assertionResults.filter((result) => result.status === 'failed');
      if (status === 'failed' && tests.length === 0) return [{ file, name: 'does not load' }];
      return tests.map(({ fullName }) => ({ file, name: fullName }));
    });
    return {
      passed: numPassedTests,
      failed: status === 0 ? numFailedTests : Math.max(numFailedTests, 1),
      failures,
    };
  } catch {
    return { passed: 0, failed: 1, failures: [] };
  }
}

/**
 * Returns the files to run once more, alone: those with failed tests, if all of them start whole programs and they are few.
 * @param {{ failed: number, failures: readonly { file: string }[] }} tests
 * @returns {readonly string[]}
 */
export function filesToRepeat({ failed, failures }) {
  const files = [...new Set(failures.map(({ file }) => file))];
  const all = failures.length === failed && files.every((file) => OF_PROGRAMS.test(file));
  return all && files.length <= MAX_REPEATED_FILES ? files : [];
}
