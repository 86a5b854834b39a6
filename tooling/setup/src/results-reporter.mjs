import { writeFileSync } from 'node:fs';

/** Writes `TestResults` as JSON to the file that `GATEHOUSE_TEST_RESULTS` names. */
export default class ResultsReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const files = modules.map((module) => {
      const tests = [...module.children.allTests()];
      const suites = [module, ...module.children.allSuites()];
      const failedTests = tests.filter((test) => test.result().state === 'failed');
      // Errors of a suite are those of its hooks; those of a file also that it does not load.
      const failedSuites = suites.filter((suite) => suite.errors().length > 0);
      return {
        file: module.moduleId,
        passed: tests.filter((test) => test.result().state === 'passed').length,
        failed: [
          ...failedTests.map(({ fullName }) => fullName),
          ...failedSuites.map((suite) => (suite.type === 'suite' ? suite.fullName : 'the file itself')),
        ],
      };
    });
    /** @type {import('./test-results.mjs').TestResults} */
    const results = { files, otherErrors: unhandledErrors.length };
    writeFileSync(/** @type {string} */ (process.env.GATEHOUSE_TEST_RESULTS), JSON.stringify(results));
  }
}
