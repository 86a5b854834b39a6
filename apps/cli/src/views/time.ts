import { formatInstant, type Instant } from '@gatehouse/domain/time';

/** Formats a time for users, to the second. */
export function shortTime(instant: Instant | null, none = '-'): string {
  return instant === null ? none : formatInstant(instant).replace(/\.\d+Z$/, 'Z');
}

/** Formats a duration for users, such as `24 hours`, in the largest unit that is exact and gives more than one. */
export function timeSpan(milliseconds: number): string {
  const exact = UNITS.filter(([, length]) => milliseconds % length === 0);
  const [unit, length] = exact.find((each) => milliseconds > each[1]) ?? exact.at(-1) ?? ['second', 1000];
  const span = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' });
  return span.format(milliseconds / length);
}

const AGES = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** Formats an age for users, such as `4 minutes ago`, in the largest unit that gives at least one. */
export function timeAgo(instant: Instant | null, now: Instant, never = 'never'): string {
  if (instant === null) return never;
  const age = now - instant;
  const [unit, length] = UNITS.find((each) => age >= each[1]) ?? [];
  // The clocks of two machines differ a little, so a recent time can lie in the future.
  return unit === undefined ? 'just now' : AGES.format(-Math.floor(age / length), unit);
}

const SHORT_AGES = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' });
const DAY_MS = 86_400_000;

/** Formats a time in a list: its date or, within a day of now, its distance. */
export function dateOrAge(instant: Instant | null, now: Instant, none = '-'): string {
  if (instant === null) return none;
  const distance = instant - now;
  return Math.abs(distance) < DAY_MS ? shortAge(distance) : dateOf(instant);
}

/** Formats a past time in a list: its age, such as `4m ago`, or its date if that is more than 90 days ago. */
export function ageOrDate(instant: Instant | null, now: Instant, never = 'never'): string {
  if (instant === null) return never;
  return now - instant > 90 * DAY_MS ? dateOf(instant) : shortAge(Math.min(instant - now, 0));
}

export function dateOf(instant: Instant): string {
  return formatInstant(instant).slice(0, 'yyyy-mm-dd'.length);
}

/** `distance` is in milliseconds, negative in the past. */
function shortAge(distance: number): string {
  const [unit, length] = UNITS.find((each) => Math.abs(distance) >= each[1]) ?? [];
  return unit === undefined ? 'just now' : SHORT_AGES.format(Math.trunc(distance / length), unit);
}
