import { expect, test } from 'vitest';
import { ALLOWED, findWords, wordsIn } from './plain-words.ts';

/** Everything that is written by hand. */
const CHECKED = ['*.md', 'docs/**', 'apps/**', 'packages/**', 'tooling/**'];

test('sources, tests and pages have none of the words that readers stumble over', () => {
  const found = findWords(CHECKED).map(({ at, word, better }) => `${at} says "${word}": write ${better}`);
  expect(found).toEqual([]);
});

test.each([
  ['/** Whoever reads comes to the end. */', 'Whoever'],
  ['// nobody waits', 'nobody'],
  ['const TokenStory = 1;', 'Story'],
  ['if (lease.isFresh) return;', 'lease'],
  ['const MOST_ROUNDS = 10;', 'const MOST_ROUNDS'],
])('finds such a word, with its line: %s', (line, word) => {
  expect(wordsIn(`\n${line}\n`, 'a.ts')).toMatchObject([{ at: 'a.ts:2', word }]);
});

test.each([
  'the token history',
  'a release, please',
  "spawn('su', ['NOBODY'])",
  "'nobody@acme.example'",
  'const MAX_ROUNDS = 10;',
])('accepts other words: %s', (line) => {
  expect(wordsIn(line, 'a.ts')).toEqual([]);
});

test('at most five lines are exempt', () => {
  expect(ALLOWED.length).toBeLessThanOrEqual(5);
});
