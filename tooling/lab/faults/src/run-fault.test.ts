import { expect, test } from 'vitest';
import { countedAsFailed } from './run-fault.ts';

test('passed tests are counted', () => {
  expect(countedAsFailed({ passed: 3, failed: 0 }, 0)).toEqual({ passed: 3, failed: 0 });
  expect(countedAsFailed({ passed: 2, failed: 2 }, 1)).toEqual({ passed: 2, failed: 2 });
});

test.each([
  ['no test ran', { passed: 0, failed: 0 }, 0],
  ['something else went wrong than a test', { passed: 3, failed: 0 }, 1],
  ['the tests were killed', { passed: 3, failed: 0 }, null],
])('where %s, that is a failure', (_, tests, status) => {
  expect(countedAsFailed(tests, status)).toEqual({ passed: tests.passed, failed: 1 });
});
