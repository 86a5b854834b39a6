import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPasswordTooLong, normalPassword } from './normal-password.ts';

describe('normalPassword', () => {
  // The examples of RFC 8265 section 4.3.
  test.each([
    ['correct horse battery staple', 'correct horse battery staple'],
    ['Correct Horse Battery Staple', 'Correct Horse Battery Staple'],
    ['\u03c0\u00df\u00e5', '\u03c0\u00df\u00e5'],
    ['Jack of \u2666s', 'Jack of \u2666s'],
    ['foo\u1680bar', 'foo bar'],
  ])('keeps the examples of RFC 8265: %j', (typed, normal) => {
    expect(normalPassword(typed)).toBe(normal);
  });

  test.each([
    ['e\u0301', '\u00e9'],
    ['\u1112\u1161\u11ab', '\ud55c'],
    ['\u212b', '\u00e5'.toUpperCase()],
    ['a\u0323\u0307', 'a\u0307\u0323'],
  ])('is the same of %j and %j', (one, other) => {
    expect(normalPassword(one)).toBe(normalPassword(other));
  });

  test('makes one space of every kind', () => {
    const spaces = ['\u00a0', '\u1680', '\u2000', '\u2003', '\u2009', '\u202f', '\u205f', '\u3000'];
    for (const space of spaces) expect(normalPassword(` a${space}b${space}`)).toBe(' a b ');
  });

  test('changes nothing else: no case, no width, no ligature, nothing at the ends, no control character', () => {
    for (const typed of [
      ' a ',
      'a  b',
      'A',
      '\uff21',
      '\ufb01',
      '\u2460',
      'a\t',
      'a\r\n',
      '\u0000',
      '\ud800',
      '\u017f',
    ]) {
      expect(normalPassword(typed)).toBe(typed);
    }
  });

  test('is the same of both normal forms, and of itself', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    fc.assert(
      fc.property(text, (typed) => {
        const normal = normalPassword(typed);
        const others = [normal, typed.normalize('NFC'), typed.normalize('NFD'), normal.normalize('NFD')];
        return others.every((other) => normalPassword(other) === normal);
      }),
      { numRuns: 20_000 },
    );
  });

  test('leaves a text as it is that takes long to normalize', () => {
    const marks = `a${'\u0301'.repeat(31)}\u0323`;
    expect(normalPassword(marks)).toBe(marks);
    expect(normalPassword(`a${'\u0301'.repeat(29)}\u0323`)).toBe(`\u1ea1${'\u0301'.repeat(29)}`);
  });
});

describe('a password is too long', () => {
  test.each([
    ['a'],
    ['\u{1f642}'],
    ['e\u0301'],
    ['\u1112\u1161\u11ab'],
    ['\u03b1\u0313\u0300\u0345'],
    // Its normal form is of two characters.
    ['\u0958'],
  ])('by the characters of its normal form, or by those typed if they are fewer: %j', (character) => {
    expect(isPasswordTooLong(character.repeat(1024))).toBe(false);
    expect(isPasswordTooLong(character.repeat(1025))).toBe(true);
  });
});
