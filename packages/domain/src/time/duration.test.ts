import { describe, expect, it } from 'vitest';
import { longestDuration, parseDuration } from './duration.ts';

describe('Reading a duration', () => {
  it.each([
    ['1s', 1_000],
    ['90s', 90_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
    ['2w', 1_209_600_000],
    ['1y', 31_536_000_000],
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
    '1Y',
    '1M',
    '1d2h',
    '٣d',
    '9'.repeat(400),
  ])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('takes any count of a unit', () => {
    expect(parseDuration('1000000w')).toBe(604_800_000_000_000);
    expect(parseDuration('2147483648s')).toBe(2_147_483_648_000);
    expect(parseDuration('4294967296s')).toBe(4_294_967_296_000);
  });

  it.each([
    ['9007199254740s', '9007199254741s'],
    ['150119987579m', '150119987580m'],
    ['2501999792h', '2501999793h'],
    ['104249991d', '104249992d'],
    ['14892855w', '14892856w'],
    ['285616y', '285617y'],
  ])('takes %s, and of one that is longer says that it is the longest', (longest, longer) => {
    expect(Number.isSafeInteger(parseDuration(longest))).toBe(true);
    expect(longestDuration(longest)).toBeUndefined();
    for (const text of [longer, `${'9'.repeat(400)}${longest.slice(-1)}`]) {
      expect(parseDuration(text)).toBeUndefined();
      expect(longestDuration(text)).toBe(longest);
    }
  });

  it.each(['', '90', '90x', '0d', '-1d'])('knows no longest duration for %j', (text) => {
    expect(longestDuration(text)).toBeUndefined();
  });
});
