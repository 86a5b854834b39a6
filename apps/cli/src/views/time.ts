import type { Instant } from '@gatehouse/domain/time';
import { type Column, dateOf, shortTime } from '@gatehouse/extension-kit/cli';

/** Formats a duration for users in the largest unit that gives a whole number above 1: `24 hours`, not `1 day`. */
export function timeSpan(milliseconds: number): string {
  const exact = UNITS.filter(([, length]) => milliseconds % length === 0);
  const [unit, length] = exact.find((each) => milliseconds > each[1]) ?? exact.at(-1) ?? ['second', 1000];
  const span = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' });
  return span.format(milliseconds / length);
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;
const DAY_MS = 86_400_000;

/** Formats an age for users, such as `4 minutes ago`, in the largest unit that gives at least one. */
export function timeAgo(instant: Instant | null, now: Instant): string {
  if (instant === null) return 'never';
  // The clocks of two machines differ a little, so a recent time can lie in the future.
  return distance(Math.min(instant - now, 0), 'long');
}

/** Formats a time in a list: its date, or how far it is from now if that is less than a day. */
function dateOrAge(instant: Instant | null, now: Instant, none = '-'): string {
  if (instant === null) return none;
  return Math.abs(instant - now) < DAY_MS ? distance(instant - now, 'narrow') : dateOf(instant);
}

/** Formats a past time in a list: its age, such as `4m ago`, or its date if that is more than 90 days ago. */
export function ageOrDate(instant: Instant | null, now: Instant): string {
  if (instant === null) return 'never';
  return now - instant > 90 * DAY_MS ? dateOf(instant) : distance(Math.min(instant - now, 0), 'narrow');
}

/** Created on first use, because creating an `Intl.RelativeTimeFormat` takes as long as loading a command. */
const formats: Partial<Record<'long' | 'narrow', Intl.RelativeTimeFormat>> = {};

/** Formats the time from now to another time, in milliseconds. It is negative if the other time has passed. */
function distance(milliseconds: number, style: keyof typeof formats): string {
  const [unit, length] = UNITS.find((each) => Math.abs(milliseconds) >= each[1]) ?? [];
  if (unit === undefined) return 'just now';
  formats[style] ??= new Intl.RelativeTimeFormat('en', { numeric: 'always', style });
  return formats[style].format(Math.trunc(milliseconds / length), unit);
}

/** A column with a time. A list at a terminal shows the date, or how far the time is from now if that is less than a day. */
export function timeColumn<Row extends { readonly at: Instant }>(
  title: string,
  timeOf: (row: Row) => Instant | null,
  none = '-',
): Column<Row> {
  const brief = (row: Row) => dateOrAge(timeOf(row), row.at, none);
  return { title, value: (row) => shortTime(timeOf(row), none), brief };
}
