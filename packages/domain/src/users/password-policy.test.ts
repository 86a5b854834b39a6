import { expect, test } from 'vitest';
import type { Email } from './email.ts';
import { checkPassword } from './password-policy.ts';

const verdict = (password: string, email = 'ada.byron@acme.example') => {
  const checked = checkPassword(password, email as Email);
  return checked.ok ? 'taken' : checked.error.problems[0]?.message;
};

test.each([
  'correct horse battery',
  'Zw3i Möwen über Kiel',
  '   leading and trailing   ',
  'x9$Kq!2mVp7#',
  `${'ab cd '.repeat(170)}!!!!`,
])('%j is accepted', (password) => {
  expect(verdict(password)).toBe('taken');
});

test('12 to 1,024 characters: an emoji counts as one, and no rule requires capitals or digits', () => {
  expect(verdict('elevenchars')).toContain('12 to 1024');
  expect(verdict('🜁🜂🜃🜄 🜅🜆🜇 🜈🜉')).toContain('12 to 1024');
  expect(verdict('🜁🜂🜃🜄 🜅🜆🜇 🜈🜉🜊')).toBe('taken');
  expect(verdict('quite a long one, '.repeat(57))).toContain('12 to 1024');
  expect(verdict(`${'ab cd '.repeat(170)}!!!!!`)).toContain('12 to 1024');
});

test.each([
  'password1234',
  'Password1234!',
  '123456789012',
  'qwertyuiopas',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'QWERTY123456',
  '1qaz2wsx3edc',
  '!!welcome!!!!',
  'iloveyou2024',
])('%j is common', (password) => {
  expect(verdict(password)).toContain('many people choose');
});

test('a password derived from the email’s local part is refused if that has four or more characters', () => {
  expect(verdict('xx-ADA.BYRON-xx')).toContain('email');
  expect(verdict('adamant beliefs', 'ada@acme.example')).toBe('taken');
  expect(verdict('graceful beliefs', 'Grac@acme.example')).toContain('email');
});

test('only the local part counts: a password may contain the domain', () => {
  expect(verdict('the acme.example press')).toBe('taken');
});

test('U+0000 and lone surrogates are refused', () => {
  expect(verdict('a perfectly\u0000 fine one')).toContain('U+0000');
  expect(verdict('a perfectly\ud800 fine one')).toContain('U+0000');
});
