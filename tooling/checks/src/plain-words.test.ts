import { expect, test } from 'vitest';
import { ALLOWED, findWords, wordsIn } from './plain-words.ts';

/** What is checked. A folder is added when it has none of the words. */
const CHECKED = [
  '{ARCHITECTURE,CONTRIBUTING,README,SECURITY}.md',
  'docs/*.md',
  'docs/{adr,development,operations}/*',
  'apps/cli/{bin,src/output,src/errors,src/input}/**',
  'apps/server/**',
  'packages/api-contract/**',
  'packages/cache/**',
  'packages/domain/**',
  'packages/embedded-postgres/**',
  'packages/key-encryption/**',
  'packages/password-argon2/**',
  'packages/postgres/**',
  'packages/{container,extension-kit,installation,node-runtime}/**',
  'packages/scram-client/**',
  'packages/token-jwt/**',
  'packages/token-paseto/**',
  'tooling/checks/src/cli-document.md',
  'tooling/{bench,fault-figures,faults,mutations,setup,test-database,test-postgres}/**',
];

test('source, help and pages have none of the words that readers stumble over', () => {
  const found = findWords(CHECKED).map(({ at, word, better }) => `${at} says "${word}": write ${better}`);
  expect(found).toEqual([]);
});

test.each([
  ['/** Whoever reads comes to the end. */', 'Whoever'],
  ['// nobody waits', 'nobody'],
  ['const TokenStory = 1;', 'Story'],
  ['if (lease.isFresh) return;', 'lease'],
  ['const MOST_ROUNDS = 10;', 'const MOST_ROUNDS'],
])('such a word is found, with its line: %s', (line, word) => {
  expect(wordsIn(`\n${line}\n`, 'a.ts')).toMatchObject([{ at: 'a.ts:2', word }]);
});

test.each([
  'the token history',
  'a release, please',
  "spawn('su', ['NOBODY'])",
  "'nobody@acme.example'",
  'const MAX_ROUNDS = 10;',
])('other words are left alone: %s', (line) => {
  expect(wordsIn(line, 'a.ts')).toEqual([]);
});

test('at most five lines are exempt', () => {
  expect(ALLOWED.length).toBeLessThanOrEqual(5);
});
