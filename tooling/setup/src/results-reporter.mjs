import { writeFileSync } from 'node:fs';

/** Writes `TestResults` as JSON to the file that `GATEHOUSE_TEST_RESULTS` names. */
export default class ResultsReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failures = tests
      .filter((test) => test.result().state === 'failed')
      .map((test) => ({ file: test.module.moduleId, name: test.fullName }));
    /** @type {import('./test-results.mjs').TestResults} */
    const results = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failures,
      otherErrors: unhandledErrors.length + suites.flatMap((suite) => suite.errors()).length,
    };
    writeFileSync(/** @type {string} */ (process.env.GATEHOUSE_TEST_RESULTS), JSON.stringify(results));
  }
}
