import { readFileSync } from 'node:fs';

/**
 * Counts the tests in a report that vitest wrote as JSON. A run that failed without a failed test (a file that
 * does not load, an error outside of any test, no report at all) counts as one failure.
 * @param {string} path
 * @param {number} status vitest's exit status
 * @returns {{ passed: number, failed: number }}
 */
export function countTests(path, status) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(path, 'utf8'));
    return { passed: numPassedTests, failed: status === 0 ? numFailedTests : Math.max(numFailedTests, 1) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
