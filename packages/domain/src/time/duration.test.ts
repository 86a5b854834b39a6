import { describe, expect, it } from 'vitest';
import { parseDuration } from './duration.ts';

describe('Reading a duration', () => {
  it.each([
    ['1s', 1_000],
    ['90s', 90_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
    ['2w', 1_209_600_000],
  ])('parses %s as %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    '',
    's',
    '30',
    '0d',
    '01d',
    '-1d',
    '+1d',
    '1.5d',
    '1e3s',
    '30D',
    '30 d',
    ' 30d',
    '30d ',
    '30d\n',
    '1y',
    '1d2h',
    '٣d',
    `${'9'.repeat(400)}d`,
  ])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('refuses one too long to be counted exactly', () => {
    expect(parseDuration('999999999d')).toBeUndefined();
    expect(parseDuration('1000000w')).toBe(604_800_000_000_000);
  });
});
