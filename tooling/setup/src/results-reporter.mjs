import { writeFileSync } from 'node:fs';

/** Writes `TestResults` as JSON to the file that `GATEHOUSE_TEST_RESULTS` names. */
export default class ResultsReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly { readonly VITEST_TEST_PATH?: string }[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const files = modules.map((module) => {
      const tests = [...module.children.allTests()];
      const suites = [module, ...module.children.allSuites()];
      const failedTests = tests.filter((test) => test.result().state === 'failed');
      // Errors of a suite are those of its hooks; those of a file also that it does not load.
      const failedSuites = suites.filter((suite) => suite.errors().length > 0);
      const uncaught = unhandledErrors.filter(({ VITEST_TEST_PATH: path }) => path === module.moduleId);
      return {
        file: module.moduleId,
        passed: tests.filter((test) => test.result().state === 'passed').length,
        failed: [
          ...failedTests.map(({ fullName }) => fullName),
          ...failedSuites.map((suite) => (suite.type === 'suite' ? suite.fullName : 'the file itself')),
          ...uncaught.map(() => 'an error outside of its tests'),
        ],
      };
    });
    const ran = new Set(files.map(({ file }) => file));
    const others = unhandledErrors.filter(({ VITEST_TEST_PATH: path = '' }) => !ran.has(path));
    /** @type {import('./test-results.mjs').TestResults} */
    const results = { files, otherErrors: others.length };
    writeFileSync(/** @type {string} */ (process.env.GATEHOUSE_TEST_RESULTS), JSON.stringify(results));
  }
}
