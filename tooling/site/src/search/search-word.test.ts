import { expect, test } from 'vitest';
import { searchWord } from './search-word.ts';

test('a question is looked for by its own words', () => {
  const words = 'Which port of the server can I change'.split(' ').map(searchWord);
  expect(words.filter((word) => word !== null)).toEqual(['port', 'server', 'change']);
});
