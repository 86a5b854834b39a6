import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { NamedTest } from './requirements.ts';
import { testFilesOf } from './test-files.ts';

/** What became of a named test: `not run` where no test of that title ran to its end. */
export type Outcome = 'passed' | 'failed' | 'not run';

/** The longest that one run may take, in milliseconds. A mutation may make tests wait for what never comes. */
const RUN_TIMEOUT_MS = 300_000;

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
});

/** Runs the named tests in a checkout, and answers what became of each, in their order. */
export async function runTests(root: string, tests: readonly NamedTest[]): Promise<readonly Outcome[]> {
  const output = join(root, 'mutation-results.json');
  const files = [...new Set(tests.flatMap((test) => testFilesOf(root, test)))];
  const pattern = tests.map(({ title }) => `(?:${patternOf(title)})`).join('|');
  await rm(output, { force: true });
  await vitest(root, [...files, '-t', pattern], output);
  const text = await readFile(output, 'utf8').catch(() => '{"testResults":[]}');
  const { testResults } = report.parse(JSON.parse(text));
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

async function vitest(root: string, args: readonly string[], output: string): Promise<void> {
  const reporter = ['--reporter=json', `--outputFile.json=${output}`];
  const child = spawn('vitest', ['run', ...args, ...reporter], {
    cwd: root,
    stdio: 'ignore',
    timeout: RUN_TIMEOUT_MS,
  });
  await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
}

/** The title as a regular expression: whatever `each` or a template put into it. */
export function patternOf(title: string): string {
  return title
    .split(/%[sdijfo]|\$\w+(?:\.\w+)*|\$\{[^}]*\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
}
