import { expect, test } from 'vitest';
import { parseExactly } from './stored-events.ts';

test.each([
  ['{"id":1.00000000000000000001}', { id: 'number 1.00000000000000000001' }],
  ['{"id":9007199254740993}', { id: 'number 9007199254740993' }],
  ['[0.10000000000000001]', ['number 0.10000000000000001']],
  [`[1${'0'.repeat(400)}]`, [`number 1${'0'.repeat(400)}`]],
  [`[1${'0'.repeat(22)}]`, [1e22]],
  ['[1.0000000000000000]', [1]],
  ['["00000000000000000000"]', ['00000000000000000000']],
  ['{"a":[0.0000001,-12.5]}', { a: [1e-7, -12.5] }],
])('%s', (text, value) => {
  expect(parseExactly(text)).toEqual(value);
});

test.each([
  [0.1 + 0.2, 1 / 3, -123_456_789.123_456_78, Math.PI * 1e15],
  [2 ** 53, -(2 ** 53), 2 ** 80, 1e21, 1.5e300, Number.MAX_VALUE],
  [Number.MIN_VALUE, 1e-7, 1.25e-200, Number.EPSILON],
])('numbers that JavaScript has are read as themselves', (...numbers) => {
  // As PostgreSQL writes numbers: without an exponent.
  expect(parseExactly(`[${numbers.map(exactText).join()}]`)).toEqual(numbers);
});

/** Returns the digits of the shortest text, moved by its exponent. */
function exactText(value: number): string {
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e');
  const [before = '', after = ''] = mantissa.split('.');
  const shift = Number(exponent);
  const digits = before + after;
  const at = before.length + shift;
  const sign = value < 0 ? '-' : '';
  if (at <= 0) return `${sign}0.${'0'.repeat(-at)}${digits}`;
  if (at >= digits.length) return `${sign}${digits}${'0'.repeat(at - digits.length)}`;
  return `${sign}${digits.slice(0, at)}.${digits.slice(at)}`;
}
