import { expect, test } from 'vitest';
import { DOCUMENTS } from './documents.ts';
import {
  ALLOWED,
  findShapesInComments,
  findShapesInDocuments,
  findWords,
  shapesIn,
  wordsIn,
} from './plain-words.ts';
import { sentencesOfComments, sentencesOfDocument } from './sentences.ts';

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

/** Their sentences come from sources. */
const GENERATED = [
  ...Object.keys(DOCUMENTS),
  'docs/develop/benchmarks.md',
  'packages/client/src/operations.ts',
];

const written = ({ at }: { readonly at: string }) => !GENERATED.some((path) => at.startsWith(`${path}:`));
const told = ({ at, word, line }: { readonly at: string; readonly word: string; readonly line: string }) =>
  `${at} "${word}": ${line}`;

test('documents have no sentences that have to be read twice', () => {
  const found = findShapesInDocuments(['*.md', 'docs/**', 'apps/**', 'packages/**', 'tooling/**']);
  expect(found.filter(written).map(told)).toEqual([]);
});

test('comments have none either', () => {
  const found = findShapesInComments(['apps/**', 'packages/**', 'tooling/**']).filter(written);
  expect(found.filter(written).map(told)).toEqual([]);
});

test.each([
  ['What is cached is dropped.', 'What'],
  ['It has two\nparts, of which one is private.', 'of which'],
  ['It reads again so that others\nsee it, too.', 'so that others see it, too'],
  ['One. That of the endpoint.', 'That of'],
  ['- So long a connection may take.', 'So long'],
  ['| a | Of so many connections, how many one may have |', 'Of so'],
  ['It works no more, so it is closed.', 'no more'],
  ['It is told so.', 'told so'],
])('finds such a sentence: %s', (text, word) => {
  expect(shapesIn(sentencesOfDocument(`# What it is\n\n${text}\n`), 'a.md')).toMatchObject([{ word }]);
  expect(shapesIn(sentencesOfComments(`/** ${text.replace('\n', '\n * ')} */\n`), 'a.ts').length).toBe(
    text.startsWith('|') ? 0 : 1,
  );
});

test.each([
  'What is it?',
  'no more than ten',
  '```sh\nWhat is code\n```',
  'See [what of which](../a.test.ts).',
])('accepts other sentences: %s', (text) => {
  expect(shapesIn(sentencesOfDocument(text), 'a.md')).toEqual([]);
});

test('a sentence is found on its line', () => {
  const [finding] = shapesIn(sentencesOfDocument('# Title\n\nOne.\nTwo. What is\nthree is four.\n'), 'a.md');
  expect(finding).toMatchObject({ at: 'a.md:4', line: 'What is three is four.' });
});
