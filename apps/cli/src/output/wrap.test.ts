import { expect, test } from 'vitest';
import { wrap } from './wrap.ts';

test('lines break between words and keep their indentation; a long word stays whole', () => {
  expect(wrap('one two three\n  four five six', 9)).toBe('one two\nthree\n  four\n  five\n  six');
  expect(wrap('see 019a0000-0000-7000 there', 10)).toBe('see\n019a0000-0000-7000\nthere');
  expect(wrap('one two three', undefined)).toBe('one two three');
});
