import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import { expect, test } from 'vitest';
import { lastDayInWords, timeInWords } from './time.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z') as Instant;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [0, 'just now'],
  [-59_000, 'just now'],
  [59_000, 'in less than a minute'],
  [-MINUTE, '1 minute ago'],
  [-3 * MINUTE, '3 minutes ago'],
  [-59.6 * MINUTE, '1 hour ago'],
  [2 * HOUR, 'in 2 hours'],
  [23.6 * HOUR, 'in 1 day'],
  // A token that was just made for five days.
  [5 * DAY - 2000, 'in 5 days'],
  [-44 * DAY, '44 days ago'],
  [90 * DAY - 2000, 'in 3 months'],
  [344 * DAY, 'in 11 months'],
  [365 * DAY - 2000, 'in 1 year'],
  [-730 * DAY, '2 years ago'],
])('a time %i ms from now is %s', (distance, words) => {
  expect(timeInWords(addMilliseconds(NOW, distance), NOW)).toBe(words);
});

test.each([
  ['2026-12-24T00:00:00.001Z', '24 December 2026'],
  ['2026-12-24T23:59:59Z', '24 December 2026'],
  // The chosen last day is shown as the last day.
  ['2026-12-25T00:00:00Z', '24 December 2026'],
])('what ends at %s has %s as its last day', (end, words) => {
  expect(lastDayInWords(Date.parse(end) as Instant)).toBe(words);
});
