import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './workspace.mjs';

/**
 * @typedef {object} TestResults
 * @property {number} passed
 * @property {readonly { readonly file: string, readonly name: string }[]} failures
 * @property {number} otherErrors files that do not load, suites that cannot begin or end, errors outside of any test
 */

/** Tests in these folders start whole programs, which a busy machine can delay past any limit. */
const OF_PROGRAMS = /^(apps|tooling)\//;

/** If more files fail, the cause is not a busy machine. */
const MAX_REPEATED_FILES = 3;

/**
 * Reads what the reporter of a run wrote. A run that failed without a reported failure, such as one that was ended, counts as
 * one error.
 * @param {string} path
 * @param {number} status vitest's exit status
 * @returns {TestResults}
 */
export function readResults(path, status) {
  try {
    /** @type {TestResults} */
    const { passed, failures, otherErrors } = JSON.parse(readFileSync(path, 'utf8'));
    const unexplained = status !== 0 && failures.length + otherErrors === 0 ? 1 : 0;
    return {
      passed,
      failures: failures.map(({ file, name }) => ({ file: relative(ROOT, file), name })),
      otherErrors: otherErrors + unexplained,
    };
  } catch {
    return { passed: 0, failures: [], otherErrors: 1 };
  }
}

/**
 * Returns the files to run once more, alone: those with failed tests, if all of them start whole programs, they are
 * few, and nothing else failed. If they are only too many for that, `hint` says so.
 * @param {TestResults} results
 * @returns {{ readonly files: readonly string[], readonly hint?: string }}
 */
export function filesToRepeat({ failures, otherErrors }) {
  const files = [...new Set(failures.map(({ file }) => file))];
  if (otherErrors > 0 || !files.every((file) => OF_PROGRAMS.test(file))) return { files: [] };
  if (files.length <= MAX_REPEATED_FILES) return { files };
  const hint = `More than ${MAX_REPEATED_FILES} files failed, so they were not run again alone. If this machine was busy:
  npm test -- ${files.join(' ')}`;
  return { files: [], hint };
}
