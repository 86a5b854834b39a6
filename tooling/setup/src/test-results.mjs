import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './workspace.mjs';

/**
 * @typedef {object} FileResults
 * @property {string} file
 * @property {number} passed
 * @property {readonly string[]} failed tests, suites that cannot begin or end, errors outside of them
 */

/**
 * @typedef {object} TestResults
 * @property {readonly FileResults[]} files
 * @property {number} otherErrors outside of any file
 */

/** Tests in these folders start whole programs, which a busy machine can delay past any limit. */
const OF_PROGRAMS = /^(apps|tooling|packages\/(embedded-postgres|postgres))\//;

/** If more files fail, the cause is not a busy machine. */
const MAX_REPEATED_FILES = 10;

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
    const { files, otherErrors } = JSON.parse(readFileSync(path, 'utf8'));
    const isExplained = status === 0 || otherErrors > 0 || files.some(({ failed }) => failed.length > 0);
    return {
      files: files.map((results) => ({ ...results, file: relative(ROOT, results.file) })),
      otherErrors: otherErrors + (isExplained ? 0 : 1),
    };
  } catch {
    return { files: [], otherErrors: 1 };
  }
}

/**
 * Returns the files to run once more, alone: those with failures, if all of them start whole programs, they are few, and
 * nothing else failed.
 * @param {TestResults} results
 * @returns {readonly string[]}
 */
export function filesToRepeat({ files, otherErrors }) {
  const failing = files.filter(({ failed }) => failed.length > 0).map(({ file }) => file);
  const mayBeBusy = otherErrors === 0 && failing.every((file) => OF_PROGRAMS.test(file));
  return mayBeBusy && failing.length <= MAX_REPEATED_FILES ? failing : [];
}

/**
 * Returns the results of both runs: those of the second one for the files that it ran again.
 * @param {TestResults} first
 * @param {TestResults} second
 * @returns {TestResults}
 */
export function mergeResults(first, second) {
  const again = new Set(second.files.map(({ file }) => file));
  return {
    files: [...first.files.filter(({ file }) => !again.has(file)), ...second.files],
    otherErrors: first.otherErrors + second.otherErrors,
  };
}

/**
 * @param {TestResults} results
 * @returns {{ readonly passed: number, readonly failed: number }}
 */
export function countResults({ files, otherErrors }) {
  return {
    passed: files.reduce((sum, { passed }) => sum + passed, 0),
    failed: files.reduce((sum, { failed }) => sum + failed.length, otherErrors),
  };
}

/**
 * Returns what failed at first, as file and name, and not any more.
 * @param {TestResults} first
 * @param {TestResults} second
 * @returns {readonly (readonly [file: string, name: string])[]}
 */
export function unstableTests(first, second) {
  return second.files.flatMap(({ file, failed }) => {
    const before = first.files.find((results) => results.file === file)?.failed ?? [];
    return before.filter((name) => !failed.includes(name)).map((name) => /** @type {const} */ ([file, name]));
  });
}
