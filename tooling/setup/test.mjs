// npm test: installs whatever is missing, then runs every check and every test, and counts them. With `--faults`, which the
// continuous integration passes, it runs the fault tests in their short size after that. Other arguments are vitest's.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks } from './src/checks.mjs';
import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';
import { measureStage } from './src/stage-cost.mjs';
import { supervise } from './src/supervise.mjs';
import { filesToRepeat, readResults } from './src/test-results.mjs';
import { ALL_PARTS, ROOT } from './src/workspace.mjs';

/** Some tools use colours even in a file. */
const IN_FILE = !process.stdout.isTTY;

/**
 * Tests spend most of their time waiting for programs. In the root's configuration this would have no effect: each
 * project has its own number, which is one less than the cores.
 */
const WORKERS = availableParallelism() + 1;

const REPORTER = join(ROOT, 'tooling/setup/src/results-reporter.mjs');

/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {readonly string[]} [names] of the checks and tests that failed
 * @property {number} [stopped] a status
 */

await runMain(async () => {
  const args = process.argv.slice(2).filter((arg) => arg !== '--faults');
  const hasFaults = args.length < process.argv.length - 2;
  const isChosen = args.some(
    (arg, index) => arg.startsWith('--project') || (!arg.startsWith('-') && args[index - 1] !== '--changed'),
  );
  const { env } = await setUp(ALL_PARTS);
  if (IN_FILE) env.NO_COLOR = '1';
  // Tests start programs from their bundles.
  await supervise('node', ['tooling/bundle/src/main.ts', '--wait'], { cwd: ROOT, env });
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-results-'));
  env.GATEHOUSE_TEST_RESULTS = join(folder, 'results.json');
  /** @type {(heading: string, ...more: string[]) => [string, () => Promise<Count>]} */
  const tests = (heading, ...more) => [heading, () => runTests(heading, [...more, ...args], env)];
  /** @type {[string, () => Promise<Count>][]} */
  const stages = [
    ['Checks', () => runChecks(env)],
    // Named files and projects always run.
    isChosen ? tests('Tests') : tests('Tests', '--project', '!faults'),
    ...(hasFaults && !isChosen ? [tests('Faults', '--project', 'faults')] : []),
  ];
  const costs = [];
  const names = [];
  let [passed, failed] = [0, 0];
  try {
    for (const [name, stage] of stages) {
      const cost = measureStage();
      const count = await stage();
      if (count.stopped !== undefined) return count.stopped;
      passed += count.passed;
      failed += count.failed;
      names.push(...(count.names ?? []));
      costs.push(`${name}: ${cost()}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(
    [...costs, ...names.map((each) => `FAILED: ${each}`), `${passed} passed, ${failed} failed`].join('\n'),
  );
  return failed === 0 ? 0 : 1;
});

/** @param {NodeJS.ProcessEnv} env @returns {Promise<Count>} */
async function runChecks(env) {
  let passed = 0;
  const names = [];
  for (const [heading, command, ...args] of checks(!IN_FILE)) {
    const { status, stopped } = await run(heading, command, args, env);
    if (stopped) return { passed, failed: names.length, stopped: status };
    if (status === 0) passed += 1;
    else names.push(heading);
  }
  return { passed, failed: names.length, names };
}

/**
 * Runs vitest, and files whose tests failed once more.
 * @param {string} heading
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Count>}
 */
async function runTests(heading, args, env) {
  const first = await runVitest(heading, WORKERS, args, env);
  if (first.stopped) return { ...first, stopped: first.status };
  const { files, hint } = filesToRepeat(first);
  if (hint) console.log(`\n${hint}`);
  const names = first.failures.map(({ file, name }) => `${file} > ${name}`);
  if (files.length === 0) return { passed: first.passed, failed: first.failed, names };
  const second = await runVitest(`${heading} that failed, once more and alone`, 1, files, env);
  if (second.stopped) return { ...second, stopped: second.status };
  if (second.failed > 0) return { passed: first.passed, failed: first.failed, names };
  for (const name of names) console.log(`UNSTABLE: failed beside others, passed alone: ${name}`);
  return { passed: first.passed + first.failed, failed: 0 };
}

/** @param {string} heading @param {number} workers @param {readonly string[]} args @param {NodeJS.ProcessEnv} env */
async function runVitest(heading, workers, args, env) {
  const results = /** @type {string} */ (env.GATEHOUSE_TEST_RESULTS);
  rmSync(results, { force: true });
  const options = [`--maxWorkers=${workers}`, '--reporter=default', `--reporter=${REPORTER}`];
  const { status, stopped } = await run(heading, 'vitest', ['run', ...options, ...args], env);
  const read = readResults(results, status);
  return { ...read, status, stopped, failed: read.failures.length + read.otherErrors };
}

/**
 * @param {string} heading
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function run(heading, command, args, env) {
  console.log(`\n== ${heading}`);
  return supervise(command, args, { cwd: ROOT, env: { ...env, TURBO_TELEMETRY_DISABLED: '1' } });
}
