import { join } from 'node:path';
import type { NamedTest } from './requirements.ts';
import { testFilesOf } from './test-files.ts';
import { runVitest } from './vitest.ts';

/** What became of a named test: `not run` where no test of that title ran to its end. */
export type Outcome = 'passed' | 'failed' | 'not run';

/** The longest that one run may take, in milliseconds. A mutation may make tests wait for what never comes. */
const RUN_TIMEOUT_MS = 300_000;

/** Runs the named tests in a checkout, and answers what became of each, in their order. */
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

/** The title as a regular expression: whatever `each` or a template put into it. */
export function patternOf(title: string): string {
  return title
    .split(/%[sdijfo]|\$\w+(?:\.\w+)*|\$\{[^}]*\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
}
