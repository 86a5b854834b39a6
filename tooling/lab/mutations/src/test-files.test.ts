import { expect, test } from 'vitest';
import { ROOT } from './root.ts';
import { testFilesOf } from './test-files.ts';

const CONTRACTS = 'packages/domain/testing/contracts';
const OF_REPOSITORIES = [
  'packages/domain/testing/in-memory/in-memory.test.ts',
  'packages/postgres/src/contracts.test.ts',
];

test.each([
  [
    'a test file runs its own tests',
    'packages/cache/src/limits.test.ts',
    ['packages/cache/src/limits.test.ts'],
  ],
  [
    'a suite in the list of repositories runs where the list does',
    `${CONTRACTS}/sign-in-bound-contract.ts`,
    OF_REPOSITORIES,
  ],
  ['a suite that another suite runs, too', `${CONTRACTS}/acting-admin-contract.ts`, OF_REPOSITORIES],
])('%s', (_, path, expected) => {
  expect(testFilesOf(ROOT, { path, title: '' }).toSorted()).toEqual(expected);
});
