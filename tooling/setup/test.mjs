// npm test: installs whatever is missing, then runs every check and every test, and counts them.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from './src/set-up.mjs';
import { runMain } from './src/set-up-error.mjs';
import { supervise } from './src/supervise.mjs';
import { filesToRepeat, readResults } from './src/test-results.mjs';
import { ROOT } from './src/workspace.mjs';

/** Some tools use colours even in a file. */
const IN_FILE = !process.stdout.isTTY;

/**
 * Most of the time goes by while programs are started and waited for. In the root's configuration this would have no
 * effect: each project has its own, one less than there are cores.
 */
const WORKERS = availableParallelism() + 1;

const REPORTER = join(ROOT, 'tooling/setup/src/results-reporter.mjs');

/** @type {readonly (readonly [string, string, ...string[]])[]} */
const CHECKS = [
  ['Format and lint', 'biome', 'ci', `--colors=${IN_FILE ? 'off' : 'force'}`, '.'],
  ['Boundaries', 'turbo', 'boundaries'],
  // Package by package, the compiler would read the packages that others import again for each of them.
  ['Types', 'tsc', '--noEmit'],
  ['Types of the domain, which knows no Node', 'tsc', '--noEmit', '--project', 'packages/domain'],
  ...extensionDomains().map(
    (folder) => /** @type {const} */ ([`Types of ${folder}`, 'tsc', '--noEmit', '--project', folder]),
  ),
  ['Generated documents', 'node', 'tooling/checks/src/check-docs.ts'],
];

/** The domains of extensions, which know no Node either. */
function extensionDomains() {
  const folders = ['packages', 'tooling'].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}/src/domain`),
  );
  return folders.filter((folder) => existsSync(join(ROOT, folder, 'tsconfig.json')));
}

await runMain(async () => {
  const { env } = await setUp({ browser: true });
  if (IN_FILE) env.NO_COLOR = '1';
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-results-'));
  const results = join(folder, 'results.json');
  env.GATEHOUSE_TEST_RESULTS = results;
  let [passed, failed] = [0, 0];
  try {
    for (const [heading, command, ...args] of CHECKS) {
      const { status, stopped } = await run(heading, command, args, env);
      if (stopped) return status;
      if (status === 0) passed += 1;
      else failed += 1;
    }
    /** @param {string} heading @param {number} workers @param {readonly string[]} args */
    const runTests = async (heading, workers, args) => {
      rmSync(results, { force: true });
      const options = [`--maxWorkers=${workers}`, '--reporter=default', `--reporter=${REPORTER}`];
      const { status, stopped } = await run(heading, 'vitest', ['run', ...options, ...args], env);
      const read = readResults(results, status);
      return { ...read, status, stopped, failed: read.failures.length + read.otherErrors };
    };
    const first = await runTests('Tests', WORKERS, process.argv.slice(2));
    if (first.stopped) return first.status;
    const { files, hint } = filesToRepeat(first);
    if (hint) console.log(`\n${hint}`);
    const second =
      files.length > 0 ? await runTests('Tests that failed, once more and alone', 1, files) : first;
    if (second.stopped) return second.status;
    passed += first.passed;
    if (second.failed > 0) failed += first.failed;
    else {
      passed += first.failed;
      for (const { file, name } of first.failures) {
        console.log(`UNSTABLE: failed beside others, passed alone: ${file} > ${name}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

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
