import type { Instant } from '@gatehouse/domain/time';
import { expect, test } from 'vitest';
import { timeAgo, timeSpan } from './time.ts';

const NOW = 1_767_225_600_000 as Instant;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [0, 'just now'],
  [999, 'just now'],
  [SECOND, '1 second ago'],
  [59 * SECOND + 999, '59 seconds ago'],
  [MINUTE, '1 minute ago'],
  [4 * MINUTE + 30 * SECOND, '4 minutes ago'],
  [HOUR, '1 hour ago'],
  [DAY - 1, '23 hours ago'],
  [DAY, '1 day ago'],
  [400 * DAY, '400 days ago'],
  [-5 * SECOND, 'just now'],
])('an age of %i ms is %s', (age, said) => {
  expect(timeAgo((NOW - age) as Instant, NOW)).toBe(said);
});

test.each([
  [SECOND, '1 second'],
  [MINUTE, '60 seconds'],
  [90 * SECOND, '90 seconds'],
  [90 * MINUTE, '90 minutes'],
  [DAY, '24 hours'],
  [36 * HOUR, '36 hours'],
  [14 * DAY, '14 days'],
])('a duration of %i ms is %s', (length, said) => {
  expect(timeSpan(length)).toBe(said);
});
