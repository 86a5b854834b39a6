import { join } from 'node:path';
import type { NamedTest } from './requirements.ts';
import { testFilesOf } from './test-files.ts';
import { runVitest } from './vitest.ts';

/** The outcome of a test: `not run` if no test of that title completed. */
export type Outcome = 'passed' | 'failed' | 'not run';

/** The time limit of a run, in milliseconds. A mutation may make tests wait forever. */
const RUN_TIMEOUT_MS = 300_000;

/** Runs the named tests in a checkout, and returns their outcomes in order. */
export async function runTests(root: string, tests: readonly NamedTest[]): Promise<readonly Outcome[]> {
  const files = [...new Set(tests.flatMap((test) => testFilesOf(root, test)))];
  const pattern = tests.map(({ title }) => `(?:${patternOf(title)})`).join('|');
  const { files: testResults } = await runVitest(root, ['run', ...files, '-t', pattern], RUN_TIMEOUT_MS);
  return tests.map((test) => {
    const ownFiles = testFilesOf(root, test).map((file) => join(root, file));
    const title = new RegExp(`^${patternOf(test.title)}`);
    const statuses = testResults
      .filter(({ name }) => ownFiles.includes(name))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter((assertion) => title.test(assertion.title))
      .map(({ status }) => status);
    if (statuses.includes('failed')) return 'failed';
    return statuses.includes('passed') ? 'passed' : 'not run';
  });
}

/** Returns the title as a regular expression that allows any text for the placeholders of `each` and templates. */
export function patternOf(title: string): string {
  return title
    .split(/%[sdijfo]|\$\w+(?:\.\w+)*|\$\{[^}]*\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
}
