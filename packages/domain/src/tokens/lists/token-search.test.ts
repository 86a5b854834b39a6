import { expect, test } from 'vitest';
import { isNameFound, tokenSearch } from './token-search.ts';

test.each([
  ['badges', 'Door badges'],
  ['BADG', 'Door badges'],
  ['badges door', 'Door badges'],
  ['do ba', 'Door-badges'],
  ['acme', 'ada@acme.example'],
  ['ada@acme', 'ada@acme.example'],
  ['äpfel', 'Rote Äpfel'],
  ['2', 'Backup 2026'],
  ['%', '%_\\'],
])('%j finds %j', (text, name) => {
  expect(isNameFound(tokenSearch(text), name)).toBe(true);
});

test.each([
  ['adges', 'Door badges'],
  ['door badges window', 'Door badges'],
  ['%', 'Door badges'],
  ['_', '%_\\'],
])('%j does not find %j', (text, name) => {
  expect(isNameFound(tokenSearch(text), name)).toBe(false);
});

test('only the first different words count', () => {
  const eight = 'one two three four five six seven eight';
  expect(tokenSearch(`${eight} ${eight}`)).toMatchObject({ words: eight.split(' '), hasMoreWords: false });
  const longer = tokenSearch(`${eight} nine ten`);
  expect(longer).toMatchObject({ words: eight.split(' '), hasMoreWords: true });
  expect(isNameFound(longer, eight)).toBe(true);
});

test('an id in any spelling and an address are not searched for as words', () => {
  const id = '0190A5B0-0000-7000-8000-00000000000A';
  expect(tokenSearch(id)).toMatchObject({ id: id.toLowerCase(), words: [] });
  expect(tokenSearch('10.0.0.0/8')).toMatchObject({ addresses: { prefixes: ['10.'] }, words: [] });
});
